#include "core/export/exported_rig.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/atlas/pose_reading.h"
#include "core/base/parallel_for.h"
#include "core/base/transform.h"
#include "core/morph/morph_set.h"

namespace ck {
namespace {

constexpr double kNothing = std::numeric_limits<double>::max();

struct Box {
  glm::dvec3 low{kNothing};
  glm::dvec3 high{-kNothing};
  bool empty() const { return low.x > high.x; }
  void add(const glm::dvec3& point) {
    low = glm::min(low, point);
    high = glm::max(high, point);
  }
};

// The vertices of one joint: a box in the joint's bind space, which fits limbs better than one in
// model space, and how far each morph moves one of them at most.
struct JointHull {
  Box box;
  std::vector<double> morphMeters;  // one per morph of the set
};

// How far each morph of weight 1 moves each vertex of a mesh; empty for morphs of other meshes.
std::vector<std::vector<double>> deltaLengths(const Mesh& mesh, int index, const MorphSet& morphs) {
  std::vector<std::vector<double>> lengths(morphs.size());
  for (std::size_t m = 0; m < morphs.size(); ++m) {
    for (const MorphMember& member : morphs[m].members) {
      if (member.mesh != index) continue;
      lengths[m].resize(mesh.positions.size(), 0.0);
      const MorphTarget& target = mesh.morphTargets[std::size_t(member.target)];
      for (std::size_t i = 0; i < target.vertices.size(); ++i) {
        lengths[m][target.vertices[i]] += glm::length(glm::dvec3(target.positionDeltas[i]));
      }
    }
  }
  return lengths;
}

std::vector<JointHull> jointHulls(const Character& character, const Atlas& atlas,
                                  const MorphSet& morphs) {
  std::vector<JointHull> hulls(atlas.joints.size());
  for (JointHull& hull : hulls) hull.morphMeters.assign(morphs.size(), 0.0);
  for (std::size_t mesh = 0; mesh < character.meshes.size(); ++mesh) {
    const Mesh& one = character.meshes[mesh];
    const auto deltas = deltaLengths(one, static_cast<int>(mesh), morphs);
    for (std::size_t v = 0; v < one.positions.size(); ++v) {
      for (const Influence& influence : influencesOf(one, v)) {
        JointHull& hull = hulls[std::size_t(influence.skinJoint)];
        const glm::dmat4 bind(atlas.joints[std::size_t(influence.skinJoint)].inverseBind);
        hull.box.add(transformPoint(bind, glm::dvec3(one.positions[v])));
        for (std::size_t m = 0; m < morphs.size(); ++m) {
          if (deltas[m].empty()) continue;
          hull.morphMeters[m] = std::max(hull.morphMeters[m], deltas[m][v]);
        }
      }
    }
  }
  return hulls;
}

// The box of a posed box that was grown by `grown` on all sides.
void addPosed(const glm::dmat4& pose, const Box& box, double grown, Box& all) {
  const glm::dvec3 center = 0.5 * (box.low + box.high);
  const glm::dvec3 half = 0.5 * (box.high - box.low) + glm::dvec3(grown);
  const glm::dvec3 place = transformPoint(pose, center);
  glm::dvec3 reach(0.0);
  for (int axis = 0; axis < 3; ++axis) reach += glm::abs(glm::dvec3(pose[axis])) * half[axis];
  all.add(place - reach);
  all.add(place + reach);
}

void addMillimetres(const Box& box, std::vector<int>& to) {
  constexpr double kMost = 2e9;
  for (int axis = 0; axis < 3; ++axis) {
    to.push_back(static_cast<int>(std::clamp(std::floor(box.low[axis] * 1000.0), -kMost, kMost)));
  }
  for (int axis = 0; axis < 3; ++axis) {
    to.push_back(static_cast<int>(std::clamp(std::ceil(box.high[axis] * 1000.0), -kMost, kMost)));
  }
}

// The moments without frames from the frame before one to the frame after it.
std::vector<int> momentsAround(const AtlasClip& clip, int frame) {
  std::vector<int> moments;
  if (clip.keptMoments.empty()) return moments;
  const FrameGrid grid = frameGridOf(clip);
  const int own = momentOfFrame(frame, grid);
  const int from = momentOfFrame(std::max(frame - 1, 0), grid);
  const int to = momentOfFrame(std::min(frame + 1, clip.frameCount - 1), grid);
  for (int moment = from + 1; moment < to; ++moment) {
    if (moment != own) moments.push_back(moment);
  }
  return moments;
}

std::vector<std::vector<int>> frameBoundsMm(const Character& character, const Atlas& atlas) {
  const MorphSet morphs = morphSetOf(character);
  const std::vector<int> stored = storedMorphs(morphs, atlas.morphs.names);
  const std::vector<JointHull> hulls = jointHulls(character, atlas, morphs);
  std::vector<glm::dmat4> toModel;
  for (const AtlasJoint& joint : atlas.joints) {
    toModel.push_back(affineInverse(glm::dmat4(joint.inverseBind)));
  }
  std::vector<std::vector<int>> all(atlas.clips.size());
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const AtlasClip& clip = atlas.clips[c];
    const auto frames = static_cast<std::size_t>(clip.frameCount);
    std::vector<Box> boxes(frames);
    const auto add = [&](std::span<const JointPose> joints, std::span<const float> weights,
                         Box& box) {
      const auto poses = skinMatricesOf(atlas, joints);
      for (std::size_t j = 0; j < hulls.size(); ++j) {
        if (hulls[j].box.empty()) continue;
        double grown = 0.0;
        for (std::size_t m = 0; m < morphs.size(); ++m) {
          if (stored[m] < 0) continue;
          grown += hulls[j].morphMeters[m] * std::abs(double(weights[std::size_t(stored[m])]));
        }
        addPosed(poses[j] * toModel[j], hulls[j].box, grown, box);
      }
    };
    parallelFor(frames, {}, [&](std::size_t frame) {
      const auto index = static_cast<int>(frame);
      const int number = static_cast<int>(c);
      std::vector<float> weights;
      if (!atlas.morphs.empty()) weights = storedMorphWeights(atlas.morphs, number, index);
      add(storedFrame(atlas, number, index), weights, boxes[frame]);
      // Moments without frames belong to both frames around them.
      for (const int moment : momentsAround(clip, index)) {
        const double unit = moment / (momentCount(clip) - 1.0);
        if (!atlas.morphs.empty()) {
          weights = bakedMorphWeights(atlas.morphs, number, unit, frameGridOf(clip));
        }
        add(posesAt(atlas, number, unit, Reading::Palette, true), weights, boxes[frame]);
      }
    });
    for (Box& box : boxes) {
      if (box.empty()) box = {glm::dvec3(0.0), glm::dvec3(0.0)};
      addMillimetres(box, all[c]);
    }
  }
  return all;
}

// The box around all boxes of frames.
std::vector<int> unionOf(const std::vector<std::vector<int>>& clips) {
  std::vector<int> all;
  for (const std::vector<int>& boxes : clips) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const std::size_t side = i % 6;
      if (all.size() <= side) all.push_back(boxes[i]);
      all[side] = side < 3 ? std::min(all[side], boxes[i]) : std::max(all[side], boxes[i]);
    }
  }
  all.resize(6, 0);
  return all;
}

std::vector<RigidMesh> rigidMeshes(const Character& character) {
  std::vector<RigidMesh> rigid;
  for (const Mesh& mesh : character.meshes) {
    const bool single = mesh.influences.size() == mesh.positions.size();
    const auto sameJoint = [&](const Influence& influence) {
      return influence.skinJoint == mesh.influences.front().skinJoint;
    };
    if (mesh.positions.empty() || !single || !std::ranges::all_of(mesh.influences, sameJoint)) {
      continue;
    }
    rigid.push_back({mesh.name, mesh.influences.front().skinJoint});
  }
  return rigid;
}

std::vector<BindScale> bindScales(const Character& character) {
  std::vector<BindScale> scales;
  for (const Mesh& mesh : character.meshes) {
    const bool isOwn = mesh.bindScale == 1.0 && mesh.bindStretch == glm::dmat3(1.0);
    if (!isOwn) scales.push_back({mesh.name, mesh.bindScale, mesh.bindStretch});
  }
  return scales;
}

}  // namespace

ExportedRig exportedRig(const Character& character, const Atlas& atlas) {
  ExportedRig rig;
  rig.sourceToModel = character.source.sourceToModel;
  rig.sourceUpAxis = character.source.upAxis;
  rig.rigidMeshes = rigidMeshes(character);
  rig.bindScales = bindScales(character);
  rig.frameBoundsMm = frameBoundsMm(character, atlas);
  rig.boundsMm = unionOf(rig.frameBoundsMm);
  return rig;
}

}  // namespace ck
