#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "core/container/rice_guess.h"

// How the rice form turns the numbers of an octet into how far they are from their guesses, and
// back (docs/ckatlas-packed.md, "rice"). As lanes.h, for .cpp files only.
namespace ck::rice {

enum class RiceStep {
  Judge,  // adds up how many bits each way would need, by octet
  Write,
  Read,
};

// Codes the octets of a frame, parents first. The first frame of a piece has none before it.
template <RiceStep kStep, bool kIsFirst>
class OctetCoder : Guesser {
 public:
  // `poses` are those of OctetPieces in a frame, each of kPoseFloats; that of the world is known.
  CK_LANES_INLINE OctetCoder(const ClipModel& model, std::size_t frame, float* poses)
      : Guesser(model.bits),
        model_(model),
        signShift_(32 - model.bits),
        poses_(poses),
        share_(all(std::max(kSlowestMean, 1.0f / static_cast<float>(frame + 1)))) {}

  // From numbers to codes, or the other way round. A judge adds to the costs.
  CK_LANES_INLINE void code(Octet& octet, OctetNumbers* codes, Costs* costs = nullptr) {
    codes_ = codes;
    costs_ = costs;
    const RicePose parent = posesAt(poses_, octet.parents);
    RicePose pose = {{all(0.0f), all(0.0f), all(0.0f)},
                     {all(0.0f), all(0.0f), all(0.0f), all(1.0f)}};
    for (std::size_t texel = 0; 4 * texel < model_.channels; ++texel) {
      switch (model_.roles[texel]) {
        case TexelRole::Place:
          codePlace(octet, texel, parent, pose.place);
          break;
        case TexelRole::Rotation:
          codeTurn(octet, texel, parent, pose.turn);
          break;
        case TexelRole::Plain:
          codePlain(octet, texel);
          break;
      }
    }
    keepPoses(poses_, octet.poses, pose);
  }

  std::array<I8, kMostChannels> numbers = {};  // of the octet, by channel

 private:
  static constexpr float kSlowestMean = 0.1f;

  // Whether the channel of any joint may be another one than in the frame before.
  CK_LANES_INLINE bool isMoving(const Octet& octet, std::size_t channel) const {
    return kIsFirst || octet.moves[channel];
  }

  // Guesses of a texel, of which those of lanes that are predicted alone go on evenly.
  template <std::size_t kChannels>
  CK_LANES_INLINE void orEvenly(const Octet& octet, std::size_t channel, const RiceWay& way,
                                I8 (&guesses)[kChannels]) const {
    if (kIsFirst || !way.anyAlone) return;
    for (std::size_t i = 0; i < kChannels; ++i) {
      guesses[i] = way.number == kAlone ? evenly(octet, channel + i) : guesses[i];
    }
  }

  CK_LANES_INLINE void codePlace(Octet& octet, std::size_t texel, const RicePose& parent,
                                 Vec& place) {
    const std::size_t channel = 4 * texel;
    I8 guess[3];
    if constexpr (kStep == RiceStep::Judge) {
      for (std::size_t way = 0; way < kWays; ++way) {
        const RiceWay all = wayOfAll(TexelRole::Place, static_cast<int>(way));
        guessPlace(octet, channel, parent, all, guess);
        orEvenly(octet, channel, all, guess);
        for (std::size_t i = 0; i < 3; ++i) {
          judge(octet, costs_->at[texel][way][i], channel + i, guess[i]);
        }
      }
    } else {
      guessPlace(octet, channel, parent, octet.ways[texel], guess);
      orEvenly(octet, channel, octet.ways[texel], guess);
    }
    F8 values[3];
    for (std::size_t i = 0; i < 3; ++i) {
      values[i] = valueOf(octet, channel + i, codeNumber(octet, channel + i, guess[i]));
    }
    if (isMoving(octet, channel + 3)) {
      codeNumber(octet, channel + 3, octet.before[channel + 3]);
    } else {
      numbers[channel + 3] = octet.before[channel + 3];
    }
    place = {values[0], values[1], values[2]};
    Offsets& o = octet.offsets;
    const Vec offset = turned(inverse(parent.turn), minus(place, parent.place));
    o.before = kIsFirst ? offset : o.last;
    o.last = offset;
    o.mean = plus(o.mean, times(minus(offset, o.mean), share_));
  }

  CK_LANES_INLINE void codeTurn(Octet& octet, std::size_t texel, const RicePose& parent,
                                Quat& turn) {
    const std::size_t channel = 4 * texel;
    if constexpr (kStep == RiceStep::Judge) judgeTurns(octet, texel, parent);
    const Quat guessed = guessTurn(octet, parent, octet.ways[texel]);
    const F8 of[4] = {guessed.x, guessed.y, guessed.z, guessed.w};
    // The last channel follows from the others, whose numbers come first.
    const LastChannel& last = octet.lasts[texel];
    F8 rest = all(1.0f);
    F8 sign = all(0.0f);
    I8 lastError = allOf(0);
    I8 lastBefore = allOf(0);
    F8 values[4];
    I8 guesses[4];
    for (std::size_t i = 0; i < 4; ++i) guesses[i] = numberOf(octet, channel + i, of[i]);
    orEvenly(octet, channel, octet.ways[texel], guesses);
    for (std::size_t i = 0; i < 4; ++i) {
      if constexpr (kStep == RiceStep::Read) {
        const I8 error = errorOf(channel + i);
        lastError = last.isAt[i] != 0 ? error : lastError;
        lastBefore = last.isAt[i] != 0 ? octet.before[channel + i] : lastBefore;
        numbers[channel + i] =
            settled(octet.keeps[channel + i], octet.before[channel + i], guesses[i] + error);
      }
      sign = last.isAt[i] != 0 ? of[i] : sign;
      values[i] = valueOf(octet, channel + i, numbers[channel + i]);
      rest = last.isAt[i] != 0 ? rest : rest - values[i] * values[i];
    }
    const F8 length = root(rest > 0.0f ? rest : all(0.0f));
    const I8 lastGuess = numberOf(sign < 0.0f ? -length : length, last.low, last.perStep);
    if constexpr (kStep == RiceStep::Read) {
      const I8 number = settled(last.keeps, lastBefore, lastGuess + lastError);
      const F8 value = last.low + __builtin_convertvector(number, F8) * last.step;
      for (std::size_t i = 0; i < 4; ++i) {
        numbers[channel + i] = last.isAt[i] != 0 ? number : numbers[channel + i];
        values[i] = last.isAt[i] != 0 ? value : values[i];
      }
    }
    for (std::size_t i = 0; i < 4; ++i) {
      if constexpr (kStep == RiceStep::Write) {
        tellError(channel + i, last.isAt[i] != 0 ? lastGuess : guesses[i]);
      }
      remember(octet, channel + i);
    }
    turn = {values[0], values[1], values[2], values[3]};
    Turns& t = octet.turns;
    const Quat local = multiplied(inverse(parent.turn), turn);
    t.before = kIsFirst ? local : agreeing(local, t.last);
    t.last = local;
    t.whole = turn;
  }

  CK_LANES_INLINE void judgeTurns(Octet& octet, std::size_t texel, const RicePose& parent) {
    const std::size_t channel = 4 * texel;
    F8 values[4];
    for (std::size_t i = 0; i < 4; ++i) {
      values[i] = valueOf(octet, channel + i, numbers[channel + i]);
    }
    F8 of[4] = {};
    for (std::size_t way = 0; way < kWays; ++way) {
      const bool isAlone = way == kAlone && !kIsFirst;
      const Quat guess =
          guessTurn(octet, parent, wayOfAll(TexelRole::Rotation, static_cast<int>(way)));
      of[0] = guess.x, of[1] = guess.y, of[2] = guess.z, of[3] = guess.w;
      for (std::size_t i = 0; i < 4; ++i) {
        judge(octet, costs_->at[texel][way][i], channel + i,
              isAlone ? evenly(octet, channel + i) : numberOf(octet, channel + i, of[i]));
      }
    }
    for (std::size_t i = 0; i < 4; ++i) {
      F8 rest = all(1.0f);
      for (std::size_t k = 0; k < 4; ++k) {
        if (k != i) rest = rest - values[k] * values[k];
      }
      const F8 length = root(rest > 0.0f ? rest : all(0.0f));
      judge(octet, costs_->at[texel][kWays][i], channel + i,
            numberOf(octet, channel + i, of[i] < 0.0f ? -length : length));
    }
  }

  CK_LANES_INLINE void codePlain(Octet& octet, std::size_t texel) {
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t channel = 4 * texel + i;
      if constexpr (kStep == RiceStep::Judge) {
        for (std::size_t way = 0; way < kWays; ++way) {
          judge(octet, costs_->at[texel][way][i], channel,
                guessPlain(octet, channel, wayOfAll(TexelRole::Plain, static_cast<int>(way))));
        }
      }
      codeNumber(octet, channel, guessPlain(octet, channel, octet.ways[texel]));
    }
  }

  // Adds about how many bits it takes to say by how much a guess is wrong.
  CK_LANES_INLINE void judge(const Octet& octet, I8& cost, std::size_t channel,
                             const I8& guess) const {
    I8 error = numbers[channel] - guess;
    error = error < 0 ? -error : error;
    const I8 bits = std::bit_cast<I8>(__builtin_convertvector(2 * error + 1, F8)) >> 23;
    cost += (bits - 127) & ~octet.keeps[channel];
  }

  CK_LANES_INLINE const I8& codeNumber(Octet& octet, std::size_t channel, const I8& guess) {
    if constexpr (kStep == RiceStep::Write) tellError(channel, guess);
    if constexpr (kStep == RiceStep::Read) {
      numbers[channel] =
          settled(octet.keeps[channel], octet.before[channel], guess + errorOf(channel));
    }
    remember(octet, channel);
    return numbers[channel];
  }
  // Errors are taken modulo what a number can be. Small ones of both signs are small codes.
  CK_LANES_INLINE void tellError(std::size_t channel, const I8& guess) {
    const I8 error = ((numbers[channel] - guess) << signShift_) >> signShift_;
    codes_->setChannel(channel, (error << 1) ^ (error >> 31));
  }
  CK_LANES_INLINE I8 errorOf(std::size_t channel) const {
    const I8 code = codes_->channel(channel);
    return (code >> 1) ^ -(code & 1);
  }
  CK_LANES_INLINE I8 settled(const I8& keeps, const I8& before, const I8& number) const {
    if (kIsFirst) return number & top();
    return keeps != 0 ? before : number & top();
  }
  CK_LANES_INLINE void remember(Octet& octet, std::size_t channel) {
    const I8& number = numbers[channel];
    if (model_.roles[channel / 4] == TexelRole::Plain) {
      octet.before3[channel] = kIsFirst ? number : octet.before2[channel];
    }
    octet.before2[channel] = kIsFirst ? number : octet.before[channel];
    octet.before[channel] = number;
  }

  const ClipModel& model_;
  const int signShift_;
  float* const poses_;
  const F8 share_;  // of a frame in the mean
  OctetNumbers* codes_ = nullptr;
  Costs* costs_ = nullptr;
};

}  // namespace ck::rice
