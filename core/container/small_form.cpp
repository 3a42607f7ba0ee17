#include "core/container/small_form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/container/bit_coder.h"
#include "core/container/least_squares.h"
#include "core/container/pose_guess.h"
#include "core/container/residual_coder.h"

namespace ck {
namespace {

// Numbers that a prediction is made of.
constexpr std::size_t kFew = 7;
constexpr std::size_t kMany = 10;  // of a rotation that follows a place
// What is expected of errors at the first frame.
constexpr double kFirstPlaceError = 20.0;
constexpr double kFirstError = 2000.0;
constexpr double kFirstNear = 20.0;
// What follows the last number.
constexpr int kMarkBits = 16;
constexpr int kMark = 0xa35c;

// The numbers of a clip by joint, frame and channel.
class Numbers {
 public:
  explicit Numbers(const ClipModel& model)
      : frames_(model.frames),
        channels_(model.channels),
        values_(model.joints.size() * model.frames * model.channels) {}
  std::span<std::uint16_t> at(std::size_t joint, std::size_t frame) {
    return std::span(values_).subspan((joint * frames_ + frame) * channels_, channels_);
  }
  std::vector<std::uint16_t>& all() { return values_; }

 private:
  std::size_t frames_;
  std::size_t channels_;
  std::vector<std::uint16_t> values_;
};

// Halves as whole numbers in the order of their values, and back.
std::uint16_t ordered(std::uint16_t half) {
  return static_cast<std::uint16_t>((half & 0x8000) != 0 ? ~half : half | 0x8000);
}
std::uint16_t unordered(std::uint16_t number) {
  return static_cast<std::uint16_t>((number & 0x8000) != 0 ? number & 0x7fff : ~number);
}

// The errors of one channel of a joint in the frames so far.
struct ErrorTrail {
  double fast = 0.0;
  double slow = 0.0;
  double expected() const { return 0.6 * fast + 0.4 * slow; }
  void add(double error) {
    fast += (error - fast) * 0.3;
    slow += (error - slow) * 0.06;
  }
};

// One channel of one joint in one frame.
struct Spot {
  std::size_t slot = 0;
  std::size_t channel = 0;
  TexelRole role = TexelRole::Plain;
  bool fromNorm = false;  // the last channel of a rotation, which follows from the others
  bool isPlace = false;
};

// Codes a clip with a BitEncoder, or decodes one with a BitDecoder.
template <class Coder>
class ClipCoder {
 public:
  ClipCoder(const ClipModel& model, Coder& coder, Numbers& numbers)
      : model_(model),
        coder_(coder),
        numbers_(numbers),
        top_(static_cast<double>((1 << model.bits) - 1)),
        levels_(numbers.all().size()) {}

  // False where a decoder's bytes cannot be those of a clip.
  bool run() {
    for (joint_ = 0; joint_ < model_.joints.size(); ++joint_) {
      if (!codeJoint()) return false;
    }
    return codeMark();
  }

 private:
  bool codeJoint() {
    const int parent = model_.joints[joint_].parent;
    parentPoses_.clear();
    if (parent >= 0) {
      for (std::size_t frame = 0; frame < model_.frames; ++frame) {
        const auto p = static_cast<std::size_t>(parent);
        parentPoses_.push_back(poseOfNumbers(model_, p, numbers_.at(p, frame)));
      }
    }
    codeFlags();
    PoseGuess guess(model_.joints[joint_], parentPoses_);
    for (std::size_t slot = 0; slot < model_.channels; ++slot) {
      const double first = isPlace(slot) ? 4.0 : 30.0;
      trails_[slot] = {first, first};
    }
    for (frame_ = 0; frame_ < model_.frames; ++frame_) {
      const bool isLast = frame_ > 0 && frame_ + 1 == model_.frames;
      if constexpr (Coder::kRounds) closes_ = closes_ || (isLast && mayClose());
      if (closes_ && isLast) break;
      if constexpr (!Coder::kWrites) {
        if (coder_.isBeyond()) return false;
      }
      guesses_ = guess.guess();
      if (!codeFrame()) return false;
      guess.tell(poseOfNumbers(model_, joint_, numbers_.at(joint_, frame_)));
    }
    if (closes_) {
      std::ranges::copy(numbers_.at(joint_, 0), numbers_.at(joint_, model_.frames - 1).begin());
    }
    return true;
  }

  // What was read from damaged bytes hardly ever goes on with the mark.
  bool codeMark() {
    bool isMark = true;
    for (int bit = kMarkBits - 1; bit >= 0; --bit) {
      const int wanted = (kMark >> bit) & 1;
      isMark = coder_.code(wanted, 2048) == wanted && isMark;
    }
    return isMark;
  }

  // Makes the numbers of a channel one in all frames if none of them is off by too much then.
  bool roundsToOne(std::size_t channel) {
    int least = 65535;
    int most = 0;
    for (std::size_t frame = 0; frame < model_.frames; ++frame) {
      const int number = numbers_.at(joint_, frame)[channel];
      least = std::min(least, number);
      most = std::max(most, number);
    }
    if (most - least > 2 * model_.joints[joint_].slack[channel]) return false;
    for (std::size_t frame = 0; frame < model_.frames; ++frame) {
      numbers_.at(joint_, frame)[channel] = static_cast<std::uint16_t>((least + most) / 2);
    }
    return true;
  }

  // Whether the last frame may be the first one again, as that is coded.
  bool mayClose() {
    const auto first = numbers_.at(joint_, 0);
    const auto last = numbers_.at(joint_, model_.frames - 1);
    for (std::size_t channel = 0; channel < model_.channels; ++channel) {
      if (std::abs(int{first[channel]} - int{last[channel]}) > slackOf(channel)) return false;
    }
    return true;
  }

  // Which channels keep their first number, and whether the last frame is the first.
  void codeFlags() {
    const auto first = numbers_.at(joint_, 0);
    for (std::size_t channel = 0; channel < model_.channels; ++channel) {
      bool keeps = true;
      for (std::size_t f = 1; Coder::kWrites && f < model_.frames && keeps; ++f) {
        keeps = numbers_.at(joint_, f)[channel] == first[channel];
      }
      if constexpr (Coder::kRounds) keeps = roundsToOne(channel);
      keeps_[channel] = codeBit(coder_, keeps ? 1 : 0, keepsBits_[channel]) != 0;
    }
    const bool closes =
        Coder::kWrites && std::ranges::equal(first, numbers_.at(joint_, model_.frames - 1));
    closes_ = codeBit(coder_, closes ? 1 : 0, closesBit_) != 0;
  }

  bool isPlace(std::size_t slot) const {
    return model_.roles[slot / 4] == TexelRole::Place && slot % 4 < 3;
  }

  // Channels are coded in order, but those of a rotation by size: the largest one follows best from
  // the length of 1, so it comes last.
  std::size_t channelAt(std::size_t slot) const {
    if (model_.roles[slot / 4] != TexelRole::Rotation) return slot;
    const Turn& turn = guesses_.turns[1];
    std::size_t largest = 3;
    for (std::size_t i = 0; i < 4; ++i) {
      if (std::abs(turn[i]) > std::abs(turn[largest])) largest = i;
    }
    const std::size_t place = slot % 4;
    if (place == 3) return slot - 3 + largest;
    return slot - place + (place < largest ? place : place + 1);
  }

  bool codeFrame() {
    errors_ = {};
    for (std::size_t slot = 0; slot < model_.channels; ++slot) {
      const TexelRole role = model_.roles[slot / 4];
      const Spot spot{slot, channelAt(slot), role, role == TexelRole::Rotation && slot % 4 == 3,
                      isPlace(slot)};
      std::uint8_t& level = levelAt(joint_, slot);
      if (frame_ > 0 && keeps_[spot.channel]) {
        now()[spot.channel] = before(1, spot.channel);
        level = 0;
        continue;
      }
      const double error = codeNumber(spot);
      if (!isGood_) return false;
      errors_[slot] = error;
      level = static_cast<std::uint8_t>(levelOf(std::abs(error)));
    }
    return true;
  }

  // Codes a number and returns by how much its prediction was wrong.
  double codeNumber(const Spot& spot) {
    const ErrorContext context = contextOf(spot);
    const double expected = expected_;
    double error = 0.0;
    if (frame_ == 0) {
      error = codeAs(spot, firstGuess(spot), context);
    } else if (spot.fromNorm) {
      error = codeAs(spot, byNorm(spot), context);
    } else if (spot.role == TexelRole::Rotation && hasPlace()) {
      error = codeByLearning(spot, many_[spot.slot % 4], context, expected);
    } else {
      error = codeByLearning(spot, few_[spot.slot], context, expected);
    }
    if (frame_ > 0) trails_[spot.slot].add(std::abs(error));
    return error;
  }

  double codeAs(const Spot& spot, double predicted, const ErrorContext& context) {
    if (!(predicted > 0.0)) predicted = 0.0;
    if (predicted > top_) predicted = top_;
    std::uint16_t& number = now()[spot.channel];
    const int slack = slackOf(spot.channel);
    int coded = residuals_.code(coder_, number, predicted, model_.bits, context, slack);
    const int top = static_cast<int>(top_);
    // The last step may reach beyond what a number can be.
    isGood_ = coded >= -slack && coded <= top + slack;
    coded = std::clamp(coded, 0, top);
    number = static_cast<std::uint16_t>(coded);
    return coded - predicted;
  }

  template <std::size_t N>
  double codeByLearning(const Spot& spot, LeastSquares<N>& learner, const ErrorContext& context,
                        double expected) {
    typename LeastSquares<N>::Numbers from = {};
    const double base = gather(spot, std::span<double>(from));
    double predicted = base + learner.predict(from);
    if (!(predicted > -top_ && predicted < 2.0 * top_)) predicted = base;
    const double error = codeAs(spot, predicted, context);
    learner.learn(from, static_cast<double>(now()[spot.channel]) - base,
                  1.0 / (0.3 + expected * expected));
    return error;
  }

  // The number from which a prediction starts, and what others differ from it by.
  double gather(const Spot& spot, std::span<double> from) const {
    const double v1 = before(1, spot.channel);
    const double v2 = frame_ > 1 ? 2.0 * v1 - before(2, spot.channel) : v1;
    const double v3 =
        frame_ > 2 ? 3.0 * v1 - 3.0 * before(2, spot.channel) + before(3, spot.channel) : v2;
    const std::size_t inTexel = spot.slot % 4;
    from[4] = inTexel > 0 ? errors_[spot.slot - 1] : 0.0;
    from[5] = inTexel > 1 ? errors_[spot.slot - 2] : 0.0;
    const std::size_t axis = spot.channel % 4;
    std::array<double, 3> guessed = {};
    if (spot.role == TexelRole::Rotation) {
      const auto& turns = guesses_.turns;
      guessed = {turns[1][axis], turns[0][axis], turns[2][axis]};
    } else if (spot.isPlace && !parentPoses_.empty()) {
      const auto& places = guesses_.places;
      guessed = {places[1][axis], places[0][axis], places[2][axis]};
    } else {
      from[0] = v2 - v1;
      from[1] = v3 - v1;
      return v1;
    }
    const double base = numberOf(spot.channel, guessed[0]);
    from[0] = numberOf(spot.channel, guessed[1]) - base;
    from[1] = numberOf(spot.channel, guessed[2]) - base;
    from[2] = v2 - base;
    from[3] = v1 - base;
    from[6] = v3 - base;
    for (std::size_t i = kFew; i < from.size(); ++i) from[i] = errors_[i - kFew];
    return base;
  }

  // Without frames before: as at bind time, or as the parent.
  double firstGuess(const Spot& spot) {
    const std::size_t axis = spot.channel % 4;
    if (spot.fromNorm) return byNorm(spot);
    if (spot.isPlace) return numberOf(spot.channel, guesses_.places[0][axis]);
    if (spot.role == TexelRole::Rotation) return numberOf(spot.channel, guesses_.turns[0][axis]);
    const int parent = model_.joints[joint_].parent;
    if (parent < 0) return 0.0;
    return static_cast<double>(numbers_.at(static_cast<std::size_t>(parent), 0)[spot.channel]);
  }

  double byNorm(const Spot& spot) {
    double rest = 1.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t channel = channelAt(spot.slot - 3 + i);
      const ChannelRange& range = model_.joints[joint_].ranges[channel];
      const double value = range.low + range.size * (static_cast<double>(now()[channel]) / top_);
      rest = rest - value * value;
    }
    const double length = rest > 0.0 ? std::sqrt(rest) : 0.0;
    const bool isBelow = guesses_.turns[1][spot.channel % 4] < 0.0;
    return numberOf(spot.channel, isBelow ? -length : length);
  }

  // The number of a value, which need not be whole; far ones are brought nearer.
  double numberOf(std::size_t channel, double value) const {
    const ChannelRange& range = model_.joints[joint_].ranges[channel];
    if (!(range.size > 0.0)) return 0.0;
    return std::clamp((value - range.low) / range.size * top_, -top_, 2.0 * top_);
  }

  // Also sets expected_, the error that the frames before let expect.
  ErrorContext contextOf(const Spot& spot) {
    ErrorContext context;
    context.kind = spot.fromNorm ? 3 : spot.role == TexelRole::Rotation ? 2 : spot.isPlace ? 0 : 1;
    context.slot = spot.slot;
    double near = 0.0;
    const std::size_t inTexel = spot.slot % 4;
    for (std::size_t i = 1; i <= inTexel; ++i) near += std::abs(errors_[spot.slot - i]);
    if (inTexel > 0) near = near / static_cast<double>(inTexel);
    expected_ = trails_[spot.slot].expected();
    const int parent = model_.joints[joint_].parent;
    if (spot.fromNorm) {
      // The smaller the others leave it, the less it follows from them.
      const Turn& turn = guesses_.turns[1];
      const std::size_t own = spot.channel % 4;
      double others = 0.0;
      for (std::size_t i = 0; i < 4; ++i) others += i == own ? 0.0 : std::abs(turn[i]);
      const double size = std::max(std::abs(turn[own]), 0.05);
      expected_ = 0.3 / size;
      near = others / size * 0.3;
    } else if (frame_ == 0) {
      expected_ = spot.isPlace ? kFirstPlaceError : kFirstError;
      near = kFirstNear;
    } else if (inTexel == 0) {
      near = trails_[spot.slot].fast;
    }
    context.own = levelOf(expected_);
    context.near = levelOf(near);
    if (frame_ > 0 && inTexel == 0 && parent >= 0) {
      context.near = levelAt(static_cast<std::size_t>(parent), spot.slot);
    }
    return context;
  }

  // Numbers that are the same in all frames are coded once, so exactly.
  int slackOf(std::size_t channel) const {
    return keeps_[channel] ? 0 : model_.joints[joint_].slack[channel];
  }
  bool hasPlace() const { return model_.roles[0] == TexelRole::Place; }
  std::span<std::uint16_t> now() { return numbers_.at(joint_, frame_); }
  std::uint16_t before(std::size_t frames, std::size_t channel) const {
    return numbers_.at(joint_, frame_ - frames)[channel];
  }
  std::uint8_t& levelAt(std::size_t joint, std::size_t slot) {
    return levels_[(joint * model_.frames + frame_) * model_.channels + slot];
  }

  const ClipModel& model_;
  Coder& coder_;
  Numbers& numbers_;
  const double top_;
  std::vector<std::uint8_t> levels_;  // of the errors, by joint, frame and slot
  ResidualCoder residuals_;
  std::array<LeastSquares<kFew>, kMostChannels> few_;
  std::array<LeastSquares<kMany>, 4> many_;
  std::array<AdaptiveBit, kMostChannels> keepsBits_ = {};
  AdaptiveBit closesBit_;

  // Of the joint that is coded:
  std::size_t joint_ = 0;
  std::vector<GuessPose> parentPoses_;
  std::array<bool, kMostChannels> keeps_ = {};
  bool closes_ = false;
  std::array<ErrorTrail, kMostChannels> trails_ = {};
  // Of its frame:
  std::size_t frame_ = 0;
  Guesses guesses_;
  std::array<double, kMostChannels> errors_ = {};  // by slot
  double expected_ = 0.0;
  bool isGood_ = true;
};

template <class Value>
void toNumbers(const ClipBlock& block, bool isHalf, Numbers& numbers) {
  for (std::size_t i = 0; i < numbers.all().size(); ++i) {
    std::uint16_t number = 0;
    for (std::size_t b = 0; b < sizeof(Value); ++b) {
      number |= static_cast<std::uint16_t>(std::to_integer<int>(block.bytes[i * sizeof(Value) + b])
                                           << (8 * b));
    }
    numbers.all()[i] = isHalf ? ordered(number) : number;
  }
}

template <class Value>
void toBytes(Numbers& numbers, bool isHalf, ClipBlock& block) {
  block.bytes.resize(numbers.all().size() * sizeof(Value));
  for (std::size_t i = 0; i < numbers.all().size(); ++i) {
    const int number = isHalf ? unordered(numbers.all()[i]) : numbers.all()[i];
    for (std::size_t b = 0; b < sizeof(Value); ++b) {
      block.bytes[i * sizeof(Value) + b] = static_cast<std::byte>((number >> (8 * b)) & 0xff);
    }
  }
}

void toNumbers(const ClipModel& model, TexelFormat format, const ClipBlock& block,
               Numbers& numbers) {
  if (model.bits == 8) toNumbers<std::uint8_t>(block, false, numbers);
  if (model.bits == 16) toNumbers<std::uint16_t>(block, isFloat(format), numbers);
}

void toBytes(const ClipModel& model, TexelFormat format, Numbers& numbers, ClipBlock& block) {
  if (model.bits == 8) toBytes<std::uint8_t>(numbers, false, block);
  if (model.bits == 16) toBytes<std::uint16_t>(numbers, isFloat(format), block);
}

}  // namespace

bool hasSmallForm(TexelFormat format) {
  return texelFormatInfo(format).bytesPerChannel <= 2;
}

std::vector<std::byte> packSmall(const ClipModel& model, TexelFormat format,
                                 const ClipBlock& block) {
  Numbers numbers(model);
  toNumbers(model, format, block, numbers);
  const std::vector<std::uint16_t> due = numbers.all();
  BitEncoder encoder;
  const auto coder = std::make_unique<ClipCoder<BitEncoder>>(model, encoder, numbers);
  coder->run();
  if (numbers.all() != due) return {};
  return encoder.finish();
}

bool unpackSmall(const ClipModel& model, TexelFormat format, std::span<const std::byte> packed,
                 ClipBlock& block) {
  Numbers numbers(model);
  BitDecoder decoder(packed);
  const auto coder = std::make_unique<ClipCoder<BitDecoder>>(model, decoder, numbers);
  if (!coder->run() || !decoder.atEnd()) return false;
  toBytes(model, format, numbers, block);
  return true;
}

void roundToPredicted(const ClipModel& model, TexelFormat format, ClipBlock& block) {
  Numbers numbers(model);
  toNumbers(model, format, block, numbers);
  NoBits none;
  const auto coder = std::make_unique<ClipCoder<NoBits>>(model, none, numbers);
  coder->run();
  toBytes(model, format, numbers, block);
}

}  // namespace ck
