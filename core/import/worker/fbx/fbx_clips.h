#pragma once

#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/import/worker/fbx/fbx_animation.h"
#include "core/import/worker/fbx/fbx_nodes.h"
#include "core/import/worker/fbx/fbx_shapes.h"

namespace ck::worker {

// Makes the clips of a scene from the animations of a file. Tracks follow the file's motion to
// within 0.01 mm, rotations to within 0.01 mm at 30 cm. Stacks without curves give no clip. Reads
// the curves of one stack at a time and drops them.
//
// For each model whose scale moves, the times of the keys of all scales above it are kept while its
// clip is made, 8 bytes each; models with the same times share them. Fails with LimitExceeded where
// a clip has more than `mostScaleTimes`: 50 million are 400 MB.
inline constexpr std::size_t kMostScaleTimes = 50'000'000;
Result<void> addFbxClips(std::vector<FbxAnimation>& animations, const FbxNodes& nodes,
                         const FbxShapes& shapes, SourceScene& scene,
                         std::size_t mostScaleTimes = kMostScaleTimes);

}  // namespace ck::worker
