#include "core/import/worker/assembly/rig_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostJoints = 65'535;
constexpr int kDeepest = 4'096;

std::vector<char> movedNodes(const SourceScene& scene) {
  std::vector<char> moved(scene.nodes.size(), 0);
  for (const SourceClip& clip : scene.clips) {
    for (const SourceNodeTracks& tracks : clip.nodeTracks) {
      moved[static_cast<std::size_t>(tracks.node)] = 1;
    }
  }
  return moved;
}

std::vector<char> chosenNodes(const SourceScene& scene, const std::vector<int>& order) {
  std::vector<char> isJoint(scene.nodes.size(), 0);
  std::vector<char> animated = movedNodes(scene);
  for (const SourceSkin& skin : scene.skins) {
    for (const int node : skin.nodes) isJoint[static_cast<std::size_t>(node)] = 1;
  }
  for (const SourceClip& clip : scene.clips) {
    for (const MorphTrack& track : clip.morphTracks) {
      const SourceMesh& mesh = scene.meshes[static_cast<std::size_t>(track.mesh)];
      if (mesh.skin < 0) animated[static_cast<std::size_t>(mesh.node)] = 1;
    }
  }
  // An animated node becomes a joint if it has a joint or a mesh below it, or if the file has
  // neither (motion only).
  std::vector<char> carries = isJoint;
  for (const SourceMesh& mesh : scene.meshes) {
    if (mesh.skin < 0) carries[static_cast<std::size_t>(mesh.node)] = 1;
  }
  const bool motionOnly = scene.meshes.empty() && scene.skins.empty();
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    const std::size_t n = static_cast<std::size_t>(*node);
    const int parent = scene.nodes[n].parent;
    if (carries[n] && parent >= 0) carries[static_cast<std::size_t>(parent)] = 1;
    if (animated[n] && (carries[n] || motionOnly)) isJoint[n] = 1;
  }
  return isJoint;
}

struct RestRepairs {
  int zeroRotations = 0;
  int sheared = 0;
};

// Splits the rest matrix of a node into a Trs and a matrix before it, which holds shear. An
// animated node loses its shear, because its keys replace the whole local transform.
void setRest(const SourceNode& node, bool animated, Joint& joint, RestRepairs& repairs) {
  if (!node.restIsTrs) {
    const Decomposed parts = decompose(node.restMatrix);
    const bool clean = parts.shear < 1e-5;
    repairs.sheared += !clean && animated ? 1 : 0;
    if (clean || animated) {
      joint.rest = parts.trs;
    } else {
      joint.preTransform = joint.preTransform * node.restMatrix;
    }
    return;
  }
  joint.rest = node.rest;
  const double length = glm::length(joint.rest.rotation);
  if (length < 1e-6) {
    ++repairs.zeroRotations;
    joint.rest.rotation = glm::dquat(1.0, 0.0, 0.0, 0.0);
  } else {
    joint.rest.rotation /= length;
  }
}

// Equality with a tolerance of 2e-6 of the largest element, separately for the linear part and the
// translation.
bool nearlyEqual(const glm::dmat4& a, const glm::dmat4& b) {
  double linear = 0.0;
  double whole = 0.0;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 3; ++r) {
      double& largest = c < 3 ? linear : whole;
      largest = std::max({largest, std::abs(a[c][r]), std::abs(b[c][r])});
    }
  }
  whole = std::max(whole, linear);
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 3; ++r) {
      if (std::abs(a[c][r] - b[c][r]) > 2e-6 * (c < 3 ? linear : whole)) return false;
    }
  }
  return true;
}

void noteScales(const Rig& rig, Notes& notes) {
  int zero = 0;
  int mirrored = 0;
  for (const Joint& joint : rig.joints) {
    const glm::dvec3& s = joint.rest.scale;
    zero += s.x == 0.0 || s.y == 0.0 || s.z == 0.0 ? 1 : 0;
    mirrored += s.x * s.y * s.z < 0.0 ? 1 : 0;
  }
  if (zero > 0) {
    warn(notes, "ScaleZero", fmt::format("{} joints are scaled to nothing at rest", zero));
  }
  if (mirrored > 0) {
    inform(notes, "ScaleMirrored",
           fmt::format("{} joints are mirrored by a negative scale", mirrored));
  }
}

void noteRepairs(int renamed, const RestRepairs& repairs, Notes& notes) {
  if (renamed > 0) {
    inform(notes, "NamesMadeUnique",
           fmt::format("{} joints had the name of another one and got a number", renamed));
  }
  if (repairs.sheared > 0) {
    warn(notes, "ShearDropped",
         fmt::format("{} joints that clips move are sheared at rest; the shear was left out",
                     repairs.sheared));
  }
  if (repairs.zeroRotations > 0) {
    warn(notes, "RotationZero",
         fmt::format("{} joints had a rotation of no length, read as 'no rotation'",
                     repairs.zeroRotations));
  }
}

}  // namespace

glm::dmat4 restMatrix(const SourceNode& node) {
  return node.restIsTrs ? toMatrix(node.rest) : node.restMatrix;
}

bool isSane(const glm::dmat4& matrix) {
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) {
      if (!(std::abs(matrix[c][r]) < 1e15)) return false;
    }
  }
  return true;
}

std::vector<int> parentsFirst(const std::vector<SourceNode>& nodes) {
  std::vector<std::vector<int>> children(nodes.size());
  std::vector<int> open;
  for (int n = static_cast<int>(nodes.size()) - 1; n >= 0; --n) {
    const int parent = nodes[static_cast<std::size_t>(n)].parent;
    if (parent < 0) {
      open.push_back(n);
    } else {
      children[static_cast<std::size_t>(parent)].push_back(n);
    }
  }
  std::vector<int> order;
  order.reserve(nodes.size());
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    order.push_back(node);
    const std::vector<int>& below = children[static_cast<std::size_t>(node)];
    open.insert(open.end(), below.begin(), below.end());
  }
  return order;
}

Result<RigAssembly> assembleRig(const SourceScene& scene) {
  const std::size_t count = scene.nodes.size();
  const std::vector<int> order = parentsFirst(scene.nodes);
  if (order.size() != count) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} nodes are their own ancestors; the hierarchy must be a tree",
                            count - order.size()));
  }
  const std::vector<char> isJoint = chosenNodes(scene, order);
  const std::vector<char> moved = movedNodes(scene);
  if (static_cast<std::size_t>(std::count(isJoint.begin(), isJoint.end(), 1)) > kMostJoints) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("there are more than {} joints", kMostJoints));
  }
  RigAssembly result;
  result.jointOfNode.assign(count, -1);
  result.carrierOfNode.assign(count, -1);
  result.inCarrier.assign(count, glm::dmat4(1.0));
  UniqueNames names;
  std::vector<int> depths;
  RestRepairs repairs;
  for (const int index : order) {
    const std::size_t n = static_cast<std::size_t>(index);
    const SourceNode& node = scene.nodes[n];
    if (!isSane(restMatrix(node))) {
      return fail(
          ErrorCode::InvalidInput,
          fmt::format("node '{}' has a transform that is not a number", cleanText(node.name)));
    }
    const int above =
        node.parent < 0 ? -1 : result.carrierOfNode[static_cast<std::size_t>(node.parent)];
    const glm::dmat4 toAbove =
        node.parent < 0 ? glm::dmat4(1.0) : result.inCarrier[static_cast<std::size_t>(node.parent)];
    if (!isJoint[n]) {
      result.carrierOfNode[n] = above;
      result.inCarrier[n] = toAbove * restMatrix(node);
      continue;
    }
    Joint joint;
    joint.parent = above;
    joint.preTransform = above < 0 ? scene.source.sourceToModel * toAbove : toAbove;
    setRest(node, moved[n] != 0, joint, repairs);
    joint.name = names.take(node.name, fmt::format("Joint {}", result.rig.joints.size() + 1));
    depths.push_back(above < 0 ? 1 : depths[static_cast<std::size_t>(above)] + 1);
    if (depths.back() > kDeepest) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("the hierarchy is more than {} joints deep", kDeepest));
    }
    result.jointOfNode[n] = result.carrierOfNode[n] = static_cast<int>(result.rig.joints.size());
    result.rig.joints.push_back(std::move(joint));
  }
  noteRepairs(names.renamedCount(), repairs, result.notes);
  noteScales(result.rig, result.notes);
  return result;
}

int SkinJoints::add(int joint, const glm::dmat4& inverseBind) {
  std::vector<int>& known = entriesOfJoint_[joint];
  for (const int entry : known) {
    if (nearlyEqual(entries_[static_cast<std::size_t>(entry)].inverseBind, inverseBind))
      return entry;
  }
  known.push_back(static_cast<int>(entries_.size()));
  entries_.push_back({joint, inverseBind});
  return known.back();
}

std::vector<int> SkinJoints::finish(Rig& rig) {
  std::vector<int> order(entries_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](int a, int b) {
    return entries_[static_cast<std::size_t>(a)].joint <
           entries_[static_cast<std::size_t>(b)].joint;
  });
  std::vector<int> places(entries_.size());
  for (const int entry : order) {
    places[static_cast<std::size_t>(entry)] = static_cast<int>(rig.skinJoints.size());
    rig.skinJoints.push_back(entries_[static_cast<std::size_t>(entry)]);
  }
  return places;
}

}  // namespace ck::worker
