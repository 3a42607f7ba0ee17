#pragma once

#include <span>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"
#include "render/view/camera.h"

namespace ck::cli {

// Brings the camera, from where it stands and in its direction, as near to the actors as shows all
// of them where they are now: each as the box of the clip that it plays. Keeps the camera where
// there are none.
void frameActors(render::Camera& camera, const Crowd& crowd, const Atlas& atlas, double aspect);

}  // namespace ck::cli
