#include "core/container/pose_guess.h"

#include <algorithm>
#include <cmath>

namespace ck {
namespace {

constexpr double kNoLength = 1e-9;
constexpr double kNoSize = 1e-6;
constexpr double kSlowestMean = 0.1;
const GuessPose kWorld = {};

Turn times(const Turn& a, const Turn& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Turn inverse(const Turn& turn) {
  return {-turn[0], -turn[1], -turn[2], turn[3]};
}

Turn unit(const Turn& turn) {
  const double length =
      std::sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
  if (!(length > kNoLength)) return {0.0, 0.0, 0.0, 1.0};
  return {turn[0] / length, turn[1] / length, turn[2] / length, turn[3] / length};
}

// The one of the two equal turns that is nearer to `near`.
Turn towards(const Turn& turn, const Turn& near) {
  const double dot = turn[0] * near[0] + turn[1] * near[1] + turn[2] * near[2] + turn[3] * near[3];
  if (dot < 0.0) return {-turn[0], -turn[1], -turn[2], -turn[3]};
  return turn;
}

Place turned(const Turn& turn, const Place& v) {
  const Place c = {turn[1] * v[2] - turn[2] * v[1] + turn[3] * v[0],
                   turn[2] * v[0] - turn[0] * v[2] + turn[3] * v[1],
                   turn[0] * v[1] - turn[1] * v[0] + turn[3] * v[2]};
  return {v[0] + 2.0 * (turn[1] * c[2] - turn[2] * c[1]),
          v[1] + 2.0 * (turn[2] * c[0] - turn[0] * c[2]),
          v[2] + 2.0 * (turn[0] * c[1] - turn[1] * c[0])};
}

Place placed(const GuessPose& parent, const Place& offset) {
  const Place away = turned(parent.turn, offset);
  return {parent.place[0] + parent.scale * away[0], parent.place[1] + parent.scale * away[1],
          parent.place[2] + parent.scale * away[2]};
}

}  // namespace

GuessPose poseOfNumbers(const ClipModel& model, std::size_t joint,
                        std::span<const std::uint16_t> numbers) {
  const double top = static_cast<double>((1 << model.bits) - 1);
  const auto value = [&](std::size_t channel) {
    const ChannelRange& range = model.joints[joint].ranges[channel];
    return range.low + range.size * (static_cast<double>(numbers[channel]) / top);
  };
  GuessPose pose;
  for (std::size_t texel = 0; 4 * texel < model.channels; ++texel) {
    const std::size_t first = 4 * texel;
    if (model.roles[texel] == TexelRole::Place) {
      pose.place = {value(first), value(first + 1), value(first + 2)};
      if (model.scales) pose.scale = value(first + 3);
    }
    if (model.roles[texel] == TexelRole::Rotation) {
      pose.turn = unit({value(first), value(first + 1), value(first + 2), value(first + 3)});
    }
  }
  return pose;
}

PoseGuess::PoseGuess(const ModelJoint& joint, std::span<const GuessPose> parent)
    : parent_(parent), mean_(joint.offset), offset_(joint.offset), offsetBefore_(joint.offset) {}

const GuessPose& PoseGuess::parentNow() const {
  return parent_.empty() ? kWorld : parent_[frame_];
}

Guesses PoseGuess::guess() const {
  const GuessPose& parent = parentNow();
  Guesses guesses;
  Place onwards = {};
  for (std::size_t i = 0; i < 3; ++i) onwards[i] = 2.0 * offset_[i] - offsetBefore_[i];
  guesses.places = {placed(parent, mean_), placed(parent, offset_), placed(parent, onwards)};
  if (frame_ == 0) {
    guesses.turns = {parent.turn, parent.turn, parent.turn};
    return guesses;
  }
  const auto& [now, before, earlier] = locals_;
  std::array<Turn, 3> locals = {now, now, now};
  if (frame_ > 1) {
    for (std::size_t i = 0; i < 4; ++i) locals[1][i] = 2.0 * now[i] - before[i];
    locals[1] = unit(locals[1]);
    locals[2] = locals[1];
  }
  if (frame_ > 2) {
    for (std::size_t i = 0; i < 4; ++i) {
      locals[2][i] = 3.0 * now[i] - 3.0 * before[i] + earlier[i];
    }
    locals[2] = unit(locals[2]);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    guesses.turns[i] = towards(times(parent.turn, locals[i]), last_);
  }
  return guesses;
}

void PoseGuess::tell(const GuessPose& pose) {
  const GuessPose& parent = parentNow();
  const Place away = {pose.place[0] - parent.place[0], pose.place[1] - parent.place[1],
                      pose.place[2] - parent.place[2]};
  const double shrink = parent.scale > kNoSize ? 1.0 / parent.scale : 1.0;
  Place offset = turned(inverse(parent.turn), away);
  const double share = std::max(kSlowestMean, 1.0 / static_cast<double>(frame_ + 1));
  for (std::size_t i = 0; i < 3; ++i) {
    offset[i] = offset[i] * shrink;
    mean_[i] = frame_ == 0 ? offset[i] : mean_[i] + (offset[i] - mean_[i]) * share;
  }
  offsetBefore_ = frame_ == 0 ? offset : offset_;
  offset_ = offset;
  const Turn local = times(inverse(parent.turn), pose.turn);
  // Equal turns have two signs; those before take the sign of the latest one.
  locals_ = {local, towards(locals_[0], local), towards(locals_[1], local)};
  last_ = pose.turn;
  ++frame_;
}

}  // namespace ck
