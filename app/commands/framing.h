#pragma once

#include <span>

#include "core/atlas/atlas.h"
#include "core/crowd/mixed_crowd.h"
#include "render/scene/camera.h"

namespace ck::cli {

// Brings the camera, from where it stands and in its direction, as near to the actors as shows all
// of them where they are now: each as the box of the clip that it plays. `atlases` are by
// character, and none is null. Keeps the camera where there are no actors.
void frameActors(render::Camera& camera, const CrowdView& crowd, std::span<const AtlasPtr> atlases,
                 double aspect);

}  // namespace ck::cli
