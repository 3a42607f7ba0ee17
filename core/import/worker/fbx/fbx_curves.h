#pragma once

#include "core/import/worker/assembly/key_curve.h"
#include "core/import/worker/fbx/fbx_tree.h"

namespace ck::worker {

// Reads an AnimationCurve. Keys whose time or value is not finite, or whose time is not after the
// one before, are left out and counted. An empty curve if there is no key.
KeyCurve readFbxCurve(const FbxNode& node, double ticksPerSecond, int& badKeys);

}  // namespace ck::worker
