#include "core/error/lane_frames.h"

#include <algorithm>

#include "core/atlas/pose_reading.h"
#include "core/base/assert.h"
#include "core/error/lane_kernels.h"

namespace ck {
namespace {

CK_LANES_INLINE lanes::F8 dot(const lanes::Vec& a, const lanes::Vec& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
CK_LANES_INLINE lanes::Vec cross(const lanes::Vec& a, const lanes::Vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace

// The arithmetic, inlined into one function for each instruction set.
struct LaneFrames::PoseKernel {
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

// The same of matrices (shaders/shared/matrix_pose.glsl).
struct LaneFrames::MatrixKernel {
  using F8 = lanes::F8;
  using I8 = lanes::I8;
  using Vec = lanes::Vec;
  using Matrix = F8[3][4];

  static CK_LANES_INLINE Vec row(const Matrix& m, int index) {
    return {m[index][0], m[index][1], m[index][2]};
  }
  static CK_LANES_INLINE void load(const float (&from)[3][4][kLaneCount], Matrix& m) {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) m[r][c] = lanes::load<F8>(from[r][c]);
    }
  }
  static CK_LANES_INLINE void store(const Matrix& m, float (&to)[3][4][kLaneCount]) {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) lanes::store(to[r][c], m[r][c]);
    }
  }

  static CK_LANES_INLINE void gather(const Pose* const (&lanePoses)[kLaneCount], std::size_t joint,
                                     float (&to)[3][4][kLaneCount]) {
    for (int r = 0; r < 3; ++r) {
      F8 v[4];
      for (std::size_t k = 0; k < 4; ++k) {
        v[k] = lanes::joined(lanes::load<lanes::F4>(lanePoses[k][joint].at[r]),
                             lanes::load<lanes::F4>(lanePoses[k + 4][joint].at[r]));
      }
      lanes::transpose(v);
      for (int c = 0; c < 4; ++c) lanes::store(to[r][c], v[c]);
    }
  }

  // ck_matrixHasSpace()
  static CK_LANES_INLINE I8 hasSpace(const Matrix& m) {
    const Vec x = row(m, 0);
    const Vec y = row(m, 1);
    const Vec z = row(m, 2);
    const F8 longest = lanes::root(lanes::larger(lanes::larger(dot(x, x), dot(y, y)), dot(z, z)));
    const F8 volume = lanes::magnitude(dot(x, cross(y, z)));
    return (longest > 1e-6f) & (volume > 1e-3f * longest * longest * longest);
  }

  // ck_matrixSeenFrom()
  static CK_LANES_INLINE void seenFrom(const Matrix& parent, const Matrix& own, Matrix& seen) {
    const Vec x = row(parent, 0);
    const Vec y = row(parent, 1);
    const Vec z = row(parent, 2);
    const Vec u = cross(y, z);
    const Vec v = cross(z, x);
    const Vec w = cross(x, y);
    const F8 part = 1.0f / dot(x, u);
    for (int c = 0; c < 4; ++c) {
      F8 m[3];
      for (int r = 0; r < 3; ++r) m[r] = c == 3 ? own[r][3] - parent[r][3] : own[r][c];
      seen[0][c] = (m[0] * u.x + m[1] * v.x + m[2] * w.x) * part;
      seen[1][c] = (m[0] * u.y + m[1] * v.y + m[2] * w.y) * part;
      seen[2][c] = (m[0] * u.z + m[1] * v.z + m[2] * w.z) * part;
    }
  }

  // ck_matrixStretch()
  static CK_LANES_INLINE void measure(const Matrix& m, float (&lengths)[3][kLaneCount],
                                      float (&cosines)[3][kLaneCount]) {
    F8 own[3];
    for (int c = 0; c < 3; ++c) {
      own[c] = lanes::root(m[0][c] * m[0][c] + m[1][c] * m[1][c] + m[2][c] * m[2][c]);
      lanes::store(lengths[c], own[c]);
    }
    for (int c = 0; c < 3; ++c) {
      const int after = (c + 1) % 3;
      const int before = (c + 2) % 3;
      const F8 product =
          m[0][after] * m[0][before] + m[1][after] * m[1][before] + m[2][after] * m[2][before];
      lanes::store(cosines[c],
                   product / lanes::larger(own[after] * own[before], lanes::all(1e-20f)));
    }
  }

  static CK_LANES_INLINE void between(const Matrices& ends, const F8& alpha, Matrix& m) {
    Matrix second;
    load(ends.at[0], m);
    load(ends.at[1], second);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) m[r][c] += (second[r][c] - m[r][c]) * alpha;
    }
  }

  // ck_matrixKept()
  static CK_LANES_INLINE void kept(const MatrixJoint& joint, const F8& alpha, Matrix& m) {
    between(joint.kept, alpha, m);
    F8 lengths[3];
    F8 cosines[3];
    for (int c = 0; c < 3; ++c) {
      const F8 length = lanes::load<F8>(joint.lengths[0][c]);
      const F8 cosine = lanes::load<F8>(joint.cosines[0][c]);
      lengths[c] = length + (lanes::load<F8>(joint.lengths[1][c]) - length) * alpha;
      cosines[c] = cosine + (lanes::load<F8>(joint.cosines[1][c]) - cosine) * alpha;
    }
    const F8 d[3] = {lengths[0] * lengths[0], lengths[1] * lengths[1], lengths[2] * lengths[2]};
    const F8 o[3] = {cosines[0] * lengths[1] * lengths[2], cosines[1] * lengths[2] * lengths[0],
                     cosines[2] * lengths[0] * lengths[1]};
    const Vec columns[3] = {{d[0], o[2], o[1]}, {o[2], d[1], o[0]}, {o[1], o[0], d[2]}};
    const F8 thin = 1e-4f * lengths[0] * lengths[1] * lengths[2];
    I8 goesOn = ~I8{};
    for (int step = 0; step < 3; ++step) {
      const Vec x = row(m, 0);
      const Vec y = row(m, 1);
      const Vec z = row(m, 2);
      const Vec across[3] = {cross(y, z), cross(z, x), cross(x, y)};
      const F8 volume = dot(x, across[0]);
      goesOn &= lanes::magnitude(volume) > thin;
      if (!lanes::anyTrue(goesOn)) break;
      const F8 part = 1.0f / volume;
      Vec other[3];
      F8 size = {};
      for (int r = 0; r < 3; ++r) {
        other[r] = {dot(across[r], columns[0]) * part, dot(across[r], columns[1]) * part,
                    dot(across[r], columns[2]) * part};
        size += dot(other[r], other[r]);
      }
      const F8 grow = lanes::root(lanes::root(size / (dot(x, x) + dot(y, y) + dot(z, z))));
      const F8 shrink = 1.0f / grow;
      for (int r = 0; r < 3; ++r) {
        const F8 next[3] = {other[r].x, other[r].y, other[r].z};
        for (int c = 0; c < 3; ++c) {
          m[r][c] = goesOn ? 0.5f * (grow * m[r][c] + next[c] * shrink) : m[r][c];
        }
      }
    }
  }

  static CK_LANES_INLINE void setAll(LaneFrames& frames, const Pose* const (&first)[kLaneCount],
                                     const Pose* const (&second)[kLaneCount]) {
    for (std::size_t j = 0; j < frames.matrices_.size(); ++j) {
      MatrixJoint& joint = frames.matrices_[j];
      gather(first, j, joint.own.at[0]);
      gather(second, j, joint.own.at[1]);
      const int parent = frames.atlas_.joints[j].parent;
      I8 linked = parent < 0 ? I8{} : ~I8{};
      for (int end = 0; end < 2 && parent >= 0; ++end) {
        Matrix above;
        load(frames.matrices_[static_cast<std::size_t>(parent)].own.at[end], above);
        linked &= hasSpace(above);
      }
      lanes::store(joint.hasLink, linked);
      for (int end = 0; end < 2; ++end) {
        Matrix m;
        load(joint.own.at[end], m);
        if (lanes::anyTrue(linked)) {
          Matrix above;
          Matrix seen;
          load(frames.matrices_[static_cast<std::size_t>(parent)].own.at[end], above);
          seenFrom(above, m, seen);
          for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 4; ++c) m[r][c] = linked ? seen[r][c] : m[r][c];
          }
        }
        store(m, joint.kept.at[end]);
        measure(m, joint.lengths[end], joint.cosines[end]);
      }
    }
  }

  static CK_LANES_INLINE void drawAll(const LaneFrames& frames, const float (&alphas)[kLaneCount],
                                      Reading reading, std::span<LaneRows> joints) {
    const F8 alpha = lanes::load<F8>(alphas);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const MatrixJoint& joint = frames.matrices_[j];
      Matrix m;
      if (reading == Reading::Direct) {
        between(joint.own, alpha, m);
        store(m, joints[j].at);
        continue;
      }
      kept(joint, alpha, m);
      const I8 linked = lanes::load<I8>(joint.hasLink);
      if (lanes::anyTrue(linked)) {
        Matrix above;
        load(joints[static_cast<std::size_t>(frames.atlas_.joints[j].parent)].at, above);
        Matrix product;
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 4; ++c) {
            product[r][c] = above[r][0] * m[0][c] + above[r][1] * m[1][c] + above[r][2] * m[2][c];
          }
          product[r][3] += above[r][3];
        }
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 4; ++c) m[r][c] = linked ? product[r][c] : m[r][c];
        }
      }
      store(m, joints[j].at);
    }
  }

  CK_LANES_CLONES static void setBest(LaneFrames& frames, const Pose* const (&first)[kLaneCount],
                                      const Pose* const (&second)[kLaneCount]) {
    setAll(frames, first, second);
  }
  CK_LANES_CLONES static void drawBest(const LaneFrames& frames, const float (&alphas)[kLaneCount],
                                       Reading reading, std::span<LaneRows> joints) {
    drawAll(frames, alphas, reading, joints);
  }
};

LaneFrames::LaneFrames(const Atlas& atlas, int clip, bool interpolate)
    : atlas_(atlas),
      clip_(clip),
      grid_(frameGridOf(atlas.clips[static_cast<std::size_t>(clip)])),
      interpolate_(interpolate) {
  if (formOf(atlas) == PoseForm::Matrix) {
    matrices_.resize(atlas.joints.size());
  } else {
    ends_.resize(atlas.joints.size());
    joints_.resize(atlas.joints.size());
  }
}

// A frame that is decoded replaces the one that was used longest ago. Eight lanes have at most 16
// frames, as many as are kept, so none that choose() has found already is replaced.
const LaneFrames::Pose* LaneFrames::posesOf(int frame) {
  auto slot = std::ranges::find(frames_, frame, &Frame::index);
  if (slot == frames_.end()) {
    slot = std::ranges::min_element(frames_, {}, &Frame::lastUse);
    slot->index = frame;
    slot->poses.clear();
    for (const JointPose& pose : storedFrame(atlas_, clip_, frame)) {
      if (pose.linear) {
        Pose& own = slot->poses.emplace_back();
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 3; ++c) own.at[r][c] = (*pose.linear)[c][r];
          own.at[r][3] = pose.position[r];
        }
        continue;
      }
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
  if (matrices_.empty()) {
    PoseKernel::setBest(*this, first, second);
  } else {
    MatrixKernel::setBest(*this, first, second);
  }
}

LaneFrames::Alphas LaneFrames::alphasOf(std::span<const double, kLaneCount> units) const {
  const int last = momentCount(grid_) - 1;
  Alphas alphas;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    const FrameGap& gap = gaps_[lane];
    float& alpha = alphas.at[lane];
    alpha =
        static_cast<float>(std::clamp((units[lane] * last - gap.moment) / gap.moments, 0.0, 1.0));
    if (!interpolate_) alpha = alpha < 0.5f ? 0.0f : 1.0f;
  }
  return alphas;
}

void LaneFrames::draw(std::span<const double, kLaneCount> units, Reading reading,
                      std::span<LaneDrawn> joints) const {
  PoseKernel::drawBest(*this, alphasOf(units).at, reading, joints);
}

void LaneFrames::drawMatrices(std::span<const double, kLaneCount> units, Reading reading,
                              std::span<LaneRows> joints) const {
  MatrixKernel::drawBest(*this, alphasOf(units).at, reading, joints);
}

}  // namespace ck
