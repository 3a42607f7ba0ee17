#pragma once

#include <span>
#include <vector>

#include "core/detail/key_poses.h"

namespace ck {

// Which skin joint moves the vertices of each one (one entry per skin joint; its own index if it
// keeps them). A skin joint is folded into one of the nearest ancestor that has skin joints if no
// point that it influences is moved by more than `meters` in any of the poses when its weight goes
// there; what is folded already stands for its ancestor. This compares skin matrices, so a joint
// is only folded into a skin joint whose bind pose fits. Sockets take part in nothing.
std::vector<int> foldedJoints(const Rig& rig, const PointSet& points,
                              std::span<const KeyPose> poses, double meters);

// The influences after folding, of the same sum, heaviest first.
LimitedInfluences folded(const LimitedInfluences& influences, std::span<const int> into);

}  // namespace ck
