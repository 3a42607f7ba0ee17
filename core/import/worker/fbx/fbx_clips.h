#pragma once

#include <vector>

#include "core/import/worker/fbx/fbx_animation.h"
#include "core/import/worker/fbx/fbx_nodes.h"
#include "core/import/worker/fbx/fbx_shapes.h"

namespace ck::worker {

// Makes the clips of a scene from the animations of a file. Tracks follow the file's motion to
// within 0.01 mm, rotations to within 0.01 mm at 30 cm. Stacks without curves give no clip. Reads
// the curves of one stack at a time and drops them.
void addFbxClips(std::vector<FbxAnimation>& animations, const FbxNodes& nodes,
                 const FbxShapes& shapes, SourceScene& scene);

}  // namespace ck::worker
