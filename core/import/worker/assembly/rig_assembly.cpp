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

// The role of a node in the rig.
enum class NodeRole : char {
  None,
  Spare,   // a joint that only clips of other files or sockets can use
  Moved,   // a joint because a clip moves it
  Needed,  // a joint of a skin, or one that carries a mesh with morph tracks
};

std::vector<NodeRole> neededNodes(const SourceScene& scene, const std::vector<int>& order) {
  std::vector<NodeRole> roles(scene.nodes.size(), NodeRole::None);
  const std::vector<char> moved = movedNodes(scene);
  for (const SourceSkin& skin : scene.skins) {
    for (const int node : skin.nodes) roles[static_cast<std::size_t>(node)] = NodeRole::Needed;
  }
  std::vector<char> morphs(scene.nodes.size(), 0);
  for (const SourceClip& clip : scene.clips) {
    for (const MorphTrack& track : clip.morphTracks) {
      const SourceMesh& mesh = scene.meshes[static_cast<std::size_t>(track.mesh)];
      if (mesh.skin < 0) morphs[static_cast<std::size_t>(mesh.node)] = 1;
    }
  }
  // An animated node becomes a joint if it has a joint or a mesh below it, or if the file has
  // neither (motion only).
  std::vector<char> carries(scene.nodes.size(), 0);
  for (std::size_t n = 0; n < roles.size(); ++n) carries[n] = roles[n] == NodeRole::Needed ? 1 : 0;
  for (const SourceMesh& mesh : scene.meshes) {
    if (mesh.skin < 0) carries[static_cast<std::size_t>(mesh.node)] = 1;
  }
  const bool motionOnly = scene.meshes.empty() && scene.skins.empty();
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    const std::size_t n = static_cast<std::size_t>(*node);
    const int parent = scene.nodes[n].parent;
    if (carries[n] && parent >= 0) carries[static_cast<std::size_t>(parent)] = 1;
    if (roles[n] == NodeRole::Needed || !(carries[n] || motionOnly)) continue;
    if (moved[n]) roles[n] = NodeRole::Moved;
    if (morphs[n]) roles[n] = NodeRole::Needed;
  }
  return roles;
}

// Adds the joints that clips of other files or sockets may use.
void addSpareNodes(const SourceScene& scene, const std::vector<int>& order,
                   std::vector<NodeRole>& roles) {
  std::vector<char> isSkinned(scene.nodes.size(), 0);
  for (const SourceMesh& mesh : scene.meshes) {
    if (mesh.skin >= 0 && mesh.node >= 0) isSkinned[static_cast<std::size_t>(mesh.node)] = 1;
  }
  for (const SourceMesh& mesh : scene.meshes) {
    if (mesh.skin < 0 && mesh.node >= 0) isSkinned[static_cast<std::size_t>(mesh.node)] = 0;
  }
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    const std::size_t n = static_cast<std::size_t>(*node);
    const int parent = scene.nodes[n].parent;
    if (roles[n] == NodeRole::None && scene.nodes[n].inScene && isSkinned[n] == 0) {
      roles[n] = NodeRole::Spare;
    }
    // A node above a joint is used whatever mesh it holds.
    if (roles[n] != NodeRole::None && parent >= 0) isSkinned[static_cast<std::size_t>(parent)] = 0;
  }
}

bool isTooDeep(const SourceScene& scene, const std::vector<int>& order,
               const std::vector<NodeRole>& roles) {
  std::vector<int> depths(scene.nodes.size(), 0);
  for (const int index : order) {
    const std::size_t n = static_cast<std::size_t>(index);
    const int parent = scene.nodes[n].parent;
    depths[n] = (parent < 0 ? 0 : depths[static_cast<std::size_t>(parent)]) +
                (roles[n] == NodeRole::None ? 0 : 1);
    if (depths[n] > kDeepest) return true;
  }
  return false;
}

std::size_t jointCount(const std::vector<NodeRole>& roles) {
  return roles.size() -
         static_cast<std::size_t>(std::count(roles.begin(), roles.end(), NodeRole::None));
}

Result<std::vector<NodeRole>> chosenRoles(const SourceScene& scene, const std::vector<int>& order) {
  const std::vector<NodeRole> needed = neededNodes(scene, order);
  if (jointCount(needed) > kMostJoints) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("there are more than {} joints", kMostJoints));
  }
  if (isTooDeep(scene, order, needed)) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the hierarchy is more than {} joints deep", kDeepest));
  }
  std::vector<NodeRole> all = needed;
  addSpareNodes(scene, order, all);
  return jointCount(all) > kMostJoints || isTooDeep(scene, order, all) ? needed : all;
}

// Names of the joints, by node. Spare joints get theirs last, so that they take no other's.
std::vector<std::string> jointNames(const SourceScene& scene, const std::vector<int>& order,
                                    const std::vector<NodeRole>& roles, int& renamed) {
  std::vector<std::string> result(scene.nodes.size());
  UniqueNames names;
  std::size_t joints = 0;
  for (const bool spare : {false, true}) {
    for (const int index : order) {
      const std::size_t n = static_cast<std::size_t>(index);
      if (roles[n] == NodeRole::None || (roles[n] == NodeRole::Spare) != spare) continue;
      result[n] = names.take(scene.nodes[n].name, fmt::format("Joint {}", ++joints));
    }
    if (!spare) renamed = names.renamedCount();
  }
  return result;
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

// Puts what setRest() rounded or left out into the preTransform, because a folded joint is a
// matrix.
void keepRest(const SourceNode& node, Joint& joint) {
  const glm::dmat4 wanted = restMatrix(node);
  const glm::dmat4 rest = toMatrix(joint.rest);
  if (rest == wanted || (!node.restIsTrs && joint.rest == Trs{})) return;
  bool singular = false;
  const glm::dmat4 inverse = affineInverse(rest, &singular);
  if (!singular) joint.preTransform = joint.preTransform * wanted * inverse;
}

void noteScales(const Rig& rig, const std::vector<char>& isSpare, Notes& notes) {
  int zero = 0;
  int mirrored = 0;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    if (isSpare[j] != 0) continue;
    const glm::dvec3& s = rig.joints[j].rest.scale;
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
  const auto chosen = chosenRoles(scene, order);
  if (!chosen) return tl::unexpected(chosen.error());
  const std::vector<NodeRole>& roles = *chosen;
  const std::vector<char> moved = movedNodes(scene);
  RigAssembly result;
  result.jointOfNode.assign(count, -1);
  result.carrierOfNode.assign(count, -1);
  result.inCarrier.assign(count, glm::dmat4(1.0));
  int renamed = 0;
  std::vector<std::string> names = jointNames(scene, order, roles, renamed);
  RestRepairs repairs;
  RestRepairs ofSpares;
  std::vector<char> isSpareJoint;
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
    if (roles[n] == NodeRole::None) {
      result.carrierOfNode[n] = above;
      result.inCarrier[n] = toAbove * restMatrix(node);
      continue;
    }
    Joint joint;
    joint.parent = above;
    joint.preTransform = above < 0 ? scene.source.sourceToModel * toAbove : toAbove;
    const bool isSpare = roles[n] == NodeRole::Spare;
    setRest(node, moved[n] != 0, joint, isSpare ? ofSpares : repairs);
    if (isSpare && moved[n] == 0) keepRest(node, joint);
    joint.name = std::move(names[n]);
    result.jointOfNode[n] = result.carrierOfNode[n] = static_cast<int>(result.rig.joints.size());
    result.rig.joints.push_back(std::move(joint));
    result.isOptional.push_back(roles[n] == NodeRole::Needed ? 0 : 1);
    isSpareJoint.push_back(isSpare ? 1 : 0);
  }
  noteRepairs(renamed, repairs, result.notes);
  noteScales(result.rig, isSpareJoint, result.notes);
  return result;
}

}  // namespace ck::worker
