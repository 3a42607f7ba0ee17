#include "core/bake/lane_frames.h"

#include <algorithm>

#include "core/atlas/pose_reading.h"
#include "core/bake/lane_math.h"
#include "core/base/assert.h"

namespace ck {

// The work itself, inlined into one function for each instruction set.
struct LaneFrames::Work {
  using F8 = lanes::F8;
  using I8 = lanes::I8;
  using Quat = lanes::Quat;

  // Turns a vector.
  static CK_LANES_INLINE void turn(const Quat& q, F8 (&v)[3]) {
    // v + 2 w (q x v) + 2 q x (q x v)
    const F8 x = 2.0f * (q.y * v[2] - q.z * v[1]);
    const F8 y = 2.0f * (q.z * v[0] - q.x * v[2]);
    const F8 z = 2.0f * (q.x * v[1] - q.y * v[0]);
    v[0] += q.w * x + q.y * z - q.z * y;
    v[1] += q.w * y + q.z * x - q.x * z;
    v[2] += q.w * z + q.x * y - q.y * x;
  }

  // Puts the poses of a joint in one of the frames of each lane side by side.
  static CK_LANES_INLINE void gather(const Pose* const (&lanePoses)[kLaneCount], std::size_t joint,
                                     int end, Ends& ends) {
    using namespace lanes;
    for (int part = 0; part < 3; ++part) {
      F8 v[4];
      for (std::size_t k = 0; k < 4; ++k) {
        v[k] = joined(load<F4>(lanePoses[k][joint].at[part]),
                      load<F4>(lanePoses[k + 4][joint].at[part]));
      }
      transpose(v);
      if (part == 0) {
        for (int c = 0; c < 4; ++c) store(ends.rotation[end][c], v[c]);
      } else {
        auto& to = part == 1 ? ends.place[end] : ends.scale[end];
        for (int c = 0; c < 3; ++c) store(to[c], v[c]);
      }
    }
  }

  // Where a parent sees a joint, in both frames. Returns the lanes in which it has a size in both.
  static CK_LANES_INLINE I8 seenFrom(const Ends& parent, const Ends& own, Ends& link) {
    using namespace lanes;
    I8 hasSize = ~I8{};
    for (int end = 0; end < 2; ++end) {
      const Quat p = lanes::readQuat(parent.rotation[end]);
      const Quat back{-p.x, -p.y, -p.z, p.w};
      const Quat turned = multiplied(back, lanes::readQuat(own.rotation[end]));
      store(link.rotation[end][0], turned.x);
      store(link.rotation[end][1], turned.y);
      store(link.rotation[end][2], turned.z);
      store(link.rotation[end][3], turned.w);
      F8 place[3];
      for (int c = 0; c < 3; ++c) {
        const F8 scale = load<F8>(parent.scale[end][c]);
        hasSize &= scale * scale > 1e-12f;
        place[c] = load<F8>(own.place[end][c]) - load<F8>(parent.place[end][c]);
      }
      turn(back, place);
      for (int c = 0; c < 3; ++c) {
        store(link.place[end][c], place[c] / load<F8>(parent.scale[end][c]));
      }
    }
    return hasSize;
  }

  static CK_LANES_INLINE void setWay(const Ends& ends, Way& way) {
    using namespace lanes;
    const Quat a = lanes::readQuat(ends.rotation[0]);
    // R32 has no room for signs.
    const F8 sign =
        lanes::dot(a, lanes::readQuat(ends.rotation[1])) < 0.0f ? all(-1.0f) : all(1.0f);
    for (int c = 0; c < 4; ++c) {
      const F8 from = load<F8>(ends.rotation[0][c]);
      store(way.rotation[0][c], from);
      store(way.rotation[1][c], sign * load<F8>(ends.rotation[1][c]) - from);
    }
    for (int c = 0; c < 3; ++c) {
      const F8 from = load<F8>(ends.place[0][c]);
      store(way.place[0][c], from);
      store(way.place[1][c], load<F8>(ends.place[1][c]) - from);
    }
  }

  static CK_LANES_INLINE Quat rotationAt(const Way& way, const F8& alpha) {
    using namespace lanes;
    F8 q[4];
    for (int c = 0; c < 4; ++c) {
      q[c] = load<F8>(way.rotation[0][c]) + load<F8>(way.rotation[1][c]) * alpha;
    }
    return normalized({q[0], q[1], q[2], q[3]});
  }
  static CK_LANES_INLINE void placeAt(const Way& way, const F8& alpha, F8 (&place)[3]) {
    using namespace lanes;
    for (int c = 0; c < 3; ++c) {
      place[c] = load<F8>(way.place[0][c]) + load<F8>(way.place[1][c]) * alpha;
    }
  }

  // The pose of a joint between its frames.
  static CK_LANES_INLINE void draw(const Joint& joint, const LaneDrawn* parent, const F8& alpha,
                                   LaneDrawn& drawn) {
    using namespace lanes;
    const I8 linked = parent != nullptr ? load<I8>(joint.hasLink) : I8{};
    Quat turned{};
    F8 place[3] = {};
    if (anyTrue(linked)) {
      const Quat q = lanes::readQuat(parent->rotation);
      turned = normalized(multiplied(q, rotationAt(joint.link, alpha)));
      placeAt(joint.link, alpha, place);
      for (int c = 0; c < 3; ++c) place[c] *= load<F8>(parent->scale[c]);
      turn(q, place);
      for (int c = 0; c < 3; ++c) place[c] += load<F8>(parent->place[c]);
    }
    if (anyTrue(~linked)) {
      const Quat own = rotationAt(joint.own, alpha);
      F8 ownPlace[3];
      placeAt(joint.own, alpha, ownPlace);
      turned = {linked ? turned.x : own.x, linked ? turned.y : own.y, linked ? turned.z : own.z,
                linked ? turned.w : own.w};
      for (int c = 0; c < 3; ++c) place[c] = linked ? place[c] : ownPlace[c];
    }
    store(drawn.rotation[0], turned.x);
    store(drawn.rotation[1], turned.y);
    store(drawn.rotation[2], turned.z);
    store(drawn.rotation[3], turned.w);
    for (int c = 0; c < 3; ++c) {
      store(drawn.place[c], place[c]);
      store(drawn.scale[c], load<F8>(joint.scale[0][c]) + load<F8>(joint.scale[1][c]) * alpha);
    }
  }

  static CK_LANES_INLINE void setAll(LaneFrames& frames, const Pose* const (&first)[kLaneCount],
                                     const Pose* const (&second)[kLaneCount]) {
    using namespace lanes;
    for (std::size_t j = 0; j < frames.joints_.size(); ++j) {
      Ends& ends = frames.ends_[j];
      Joint& joint = frames.joints_[j];
      gather(first, j, 0, ends);
      gather(second, j, 1, ends);
      setWay(ends, joint.own);
      for (int c = 0; c < 3; ++c) {
        const F8 from = load<F8>(ends.scale[0][c]);
        store(joint.scale[0][c], from);
        store(joint.scale[1][c], load<F8>(ends.scale[1][c]) - from);
      }
      const int parent = frames.atlas_.joints[j].parent;
      if (parent < 0) {
        store(joint.hasLink, I8{});
        continue;
      }
      Ends link;
      store(joint.hasLink, seenFrom(frames.ends_[static_cast<std::size_t>(parent)], ends, link));
      setWay(link, joint.link);
    }
  }

  static CK_LANES_INLINE void drawAll(const LaneFrames& frames, const float (&alphas)[kLaneCount],
                                      Reading reading, std::span<LaneDrawn> joints) {
    const F8 alpha = lanes::load<F8>(alphas);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const int parent = reading == Reading::Palette ? frames.atlas_.joints[j].parent : -1;
      draw(frames.joints_[j], parent < 0 ? nullptr : &joints[static_cast<std::size_t>(parent)],
           alpha, joints[j]);
    }
  }

  CK_LANES_CLONES static void setBest(LaneFrames& frames, const Pose* const (&first)[kLaneCount],
                                      const Pose* const (&second)[kLaneCount]) {
    setAll(frames, first, second);
  }
  CK_LANES_CLONES static void drawBest(const LaneFrames& frames, const float (&alphas)[kLaneCount],
                                       Reading reading, std::span<LaneDrawn> joints) {
    drawAll(frames, alphas, reading, joints);
  }
};

LaneFrames::LaneFrames(const Atlas& atlas, int clip)
    : atlas_(atlas),
      clip_(clip),
      grid_(frameGridOf(atlas.clips[static_cast<std::size_t>(clip)])),
      ends_(atlas.joints.size()),
      joints_(atlas.joints.size()) {}

// A frame that is decoded replaces the one that was used longest ago. Eight lanes have at most 16
// frames, as many as are kept, so none that choose() has found already is replaced.
const LaneFrames::Pose* LaneFrames::posesOf(int frame) {
  auto slot = std::ranges::find(frames_, frame, &Frame::index);
  if (slot == frames_.end()) {
    slot = std::ranges::min_element(frames_, {}, &Frame::lastUse);
    slot->index = frame;
    slot->poses.clear();
    for (const JointPose& pose : storedFrame(atlas_, clip_, frame)) {
      const glm::quat& q = pose.rotation;
      const glm::vec3& p = pose.position;
      const glm::vec3& s = pose.scale;
      slot->poses.push_back({{{q.x, q.y, q.z, q.w}, {p.x, p.y, p.z, 0.0f}, {s.x, s.y, s.z, 0.0f}}});
    }
  }
  slot->lastUse = uses_;
  return slot->poses.data();
}

void LaneFrames::choose(std::span<const double> units) {
  CK_ASSERT(!units.empty() && units.size() <= kLaneCount);
  ++uses_;
  const Pose* first[kLaneCount];
  const Pose* second[kLaneCount];
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    gaps_[lane] = gapAt(units[std::min(lane, units.size() - 1)], grid_);
    first[lane] = posesOf(gaps_[lane].frame);
    second[lane] = posesOf(gaps_[lane].frame + 1);
  }
  Work::setBest(*this, first, second);
}

void LaneFrames::draw(std::span<const double, kLaneCount> units, Reading reading,
                      std::span<LaneDrawn> joints) const {
  const int last = momentCount(grid_) - 1;
  float alphas[kLaneCount];
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    const FrameGap& gap = gaps_[lane];
    alphas[lane] =
        static_cast<float>(std::clamp((units[lane] * last - gap.moment) / gap.moments, 0.0, 1.0));
  }
  Work::drawBest(*this, alphas, reading, joints);
}

}  // namespace ck
