#include "core/bake/local_lanes.h"

#include <algorithm>

#include "core/bake/pose/lane_math.h"

namespace ck {
namespace {

using namespace lanes;

constexpr float kScaleTop = 131071.0f;
constexpr float kRootOfHalf = 0.70710678f;

CK_LANES_INLINE I8 every(int value) {
  return I8{value, value, value, value, value, value, value, value};
}
CK_LANES_INLINE Quat read(const LocalEncoder::Rotation& rotation) {
  return readQuat(rotation.at);
}
CK_LANES_INLINE void write(const Quat& q, LocalEncoder::Rotation& to) {
  store(to.at[0], q.x);
  store(to.at[1], q.y);
  store(to.at[2], q.z);
  store(to.at[3], q.w);
}
CK_LANES_INLINE Quat conjugate(const Quat& q) {
  return {-q.x, -q.y, -q.z, q.w};
}

// The three smaller numbers of a rotation in whole steps from the middle, and which is left out.
struct Three {
  F8 steps[3];
  I8 largest;
};

// The numbers of q or -q, which are the same rotation, with the largest positive, whose rotation is
// nearest (nearestThree() in core/atlas/pose_code.cpp). To the first order the number that is left
// out strays by -w.g where the others stray by g, with w their shares of the largest; the least of
// g.g + (w.g)^2 is searched among the neighbours of the rounded numbers.
CK_LANES_INLINE Three nearestThree(const Quat& q, float middle) {
  const F8 numbers[4] = {q.x, q.y, q.z, q.w};
  Three three{{}, every(3)};
  F8 most = magnitude(q.w);
  F8 value = q.w;
  for (int i = 0; i < 3; ++i) {
    const I8 more = magnitude(numbers[i]) > most;
    most = more ? magnitude(numbers[i]) : most;
    value = more ? numbers[i] : value;
    three.largest = more ? every(i) : three.largest;
  }
  const F8 sign = value < 0.0f ? all(-1.0f) : all(1.0f);
  const F8 others[3] = {(three.largest == 0 ? q.y : q.x) * sign,
                        (three.largest <= 1 ? q.z : q.y) * sign,
                        (three.largest == 3 ? q.z : q.w) * sign};
  F8 squares[3][3];
  F8 pulls[3][3];
  F8 rounded[3];
  for (int i = 0; i < 3; ++i) {
    const F8 exact = smaller(larger(others[i] * (middle / kRootOfHalf), all(-middle)), all(middle));
    rounded[i] =
        __builtin_convertvector(__builtin_convertvector(exact + (middle + 0.5f), I8), F8) - middle;
    const F8 share = others[i] / most;
    for (int step = 0; step < 3; ++step) {
      const F8 number = rounded[i] + static_cast<float>(step - 1);
      const F8 off = number - exact;
      const I8 fits = (number >= -middle) & (number <= middle);
      squares[i][step] = fits ? off * off : all(1e9f);
      pulls[i][step] = share * off;
    }
  }
  // From the middle on, which wins where others are as near.
  constexpr int kOrder[3] = {1, 0, 2};
  F8 least = all(1e9f);
  for (F8& steps : three.steps) steps = F8{};
  for (const int c : kOrder) {
    for (const int b : kOrder) {
      const F8 square = squares[2][c] + squares[1][b];
      const F8 pull = pulls[2][c] + pulls[1][b];
      for (const int a : kOrder) {
        const F8 left = pull + pulls[0][a];
        const F8 off = square + squares[0][a] + left * left;
        const I8 nearer = off < least;
        least = nearer ? off : least;
        three.steps[0] = nearer ? rounded[0] + static_cast<float>(a - 1) : three.steps[0];
        three.steps[1] = nearer ? rounded[1] + static_cast<float>(b - 1) : three.steps[1];
        three.steps[2] = nearer ? rounded[2] + static_cast<float>(c - 1) : three.steps[2];
      }
    }
  }
  return three;
}

// The rotation as shaders decode it (ck_seenTurn64, ck_seenTurn32), of length 1.
CK_LANES_INLINE Quat decoded(const Three& three, float middle) {
  const float unit = kRootOfHalf / middle;
  const F8 a = three.steps[0] * unit;
  const F8 b = three.steps[1] * unit;
  const F8 c = three.steps[2] * unit;
  const F8 square = larger(1.0f - (a * a + b * b + c * c), all(1e-12f));
  const F8 left = square * inverseRoot(square);
  const I8& out = three.largest;
  return normalized({out == 0 ? left : a, out == 1 ? left : (out == 0 ? a : b),
                     out == 2 ? left : (out <= 1 ? b : c), out == 3 ? left : c});
}

CK_LANES_INLINE I8 whole(const F8& steps) {
  return __builtin_convertvector(steps, I8);
}

CK_LANES_INLINE void writeTurn15(const Three& three, const I8& scale, const LaneTexels& texels,
                                 std::size_t offset) {
  constexpr float kMiddle = 16383.0f;
  const I8 first = whole(three.steps[0] + kMiddle) | (whole(three.steps[1] + kMiddle) << 15) |
                   (three.largest << 30);
  const I8 second = whole(three.steps[2] + kMiddle) | (scale << 15);
  for (std::size_t lane = 0; lane < texels.count; ++lane) {
    const std::int32_t words[2] = {first[static_cast<int>(lane)], second[static_cast<int>(lane)]};
    std::memcpy(texels.at[lane] + offset, words, sizeof words);
  }
}

CK_LANES_INLINE void writeTurn10(const Three& three, const LaneTexels& texels, std::size_t offset) {
  constexpr float kMiddle = 511.0f;
  const I8 word = whole(three.steps[0] + kMiddle) | (whole(three.steps[1] + kMiddle) << 10) |
                  (whole(three.steps[2] + kMiddle) << 20) | (three.largest << 30);
  for (std::size_t lane = 0; lane < texels.count; ++lane) {
    const std::int32_t one = word[static_cast<int>(lane)];
    std::memcpy(texels.at[lane] + offset, &one, sizeof one);
  }
}

CK_LANES_INLINE void encodeJoints(std::span<LocalEncoder::Joint> joints, bool isFine,
                                  const LaneTexels& texels) {
  const float middle = isFine ? 16383.0f : 511.0f;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    LocalEncoder::Joint& joint = joints[j];
    Quat exact = read(joint.seen);
    Quat seen = exact;
    const bool hasParent = joint.parent >= 0;
    if (hasParent) {
      const LocalEncoder::Joint& parent = joints[static_cast<std::size_t>(joint.parent)];
      exact = multiplied(read(parent.exact), exact);
      seen = multiplied(conjugate(read(parent.drawn)), exact);
    }
    write(exact, joint.exact);
    const Three three = nearestThree(normalized(seen), middle);
    Quat drawn = decoded(three, middle);
    if (hasParent) {
      drawn = multiplied(read(joints[static_cast<std::size_t>(joint.parent)].drawn), drawn);
    }
    write(drawn, joint.drawn);
    if (!isFine) {
      writeTurn10(three, texels, 4 * j);
      continue;
    }
    I8 scale = {};
    if (joint.scalePerStep != 0.0f) {
      const F8 steps = (load<F8>(joint.scale) - joint.lowScale) * joint.scalePerStep + 0.5f;
      scale = __builtin_convertvector(smaller(larger(steps, F8{}), all(kScaleTop)), I8);
    }
    writeTurn15(three, scale, texels, 8 * j);
  }
}

CK_LANES_CLONES void encodeBest(std::span<LocalEncoder::Joint> joints, bool isFine,
                                const LaneTexels& texels) {
  encodeJoints(joints, isFine, texels);
}
void encodePlain(std::span<LocalEncoder::Joint> joints, bool isFine, const LaneTexels& texels) {
  encodeJoints(joints, isFine, texels);
}

}  // namespace

LocalEncoder::LocalEncoder(const Atlas& atlas) : atlas_(atlas), joints_(atlas.joints.size()) {
  for (std::size_t j = 0; j < joints_.size(); ++j) joints_[j].parent = atlas.joints[j].parent;
}

void LocalEncoder::gather(const JointPoses& seen, std::size_t frame, std::size_t count) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const std::span<const JointPose> poses = seen.of(j, frame, count);
    Joint& joint = joints_[j];
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      const JointPose& pose = poses[std::min(lane, count - 1)];
      joint.seen.at[0][lane] = pose.rotation.x;
      joint.seen.at[1][lane] = pose.rotation.y;
      joint.seen.at[2][lane] = pose.rotation.z;
      joint.seen.at[3][lane] = pose.rotation.w;
      joint.scale[lane] = pose.scale.x;
    }
  }
}

void LocalEncoder::encode(const JointPoses& seen, int clip, std::size_t frame,
                          const LaneTexels& texels, LanePath path) {
  gather(seen, frame, texels.count);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const TexelRange& range = rangesFor(atlas_, clip, static_cast<int>(j)).front();
    joints_[j].lowScale = range.low.w;
    joints_[j].scalePerStep = range.size.w > 0.0f ? kScaleTop / range.size.w : 0.0f;
  }
  const bool isFine = encodingInfo(atlas_.recipe).packing == Packing::Turn15;
  (path == LanePath::Best ? encodeBest : encodePlain)(joints_, isFine, texels);
}

}  // namespace ck
