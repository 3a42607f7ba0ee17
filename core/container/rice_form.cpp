#include "core/container/rice_form.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/base/byte_stream.h"
#include "core/base/lanes.h"
#include "core/base/parallel_for.h"
#include "core/container/rice_bits.h"
#include "core/container/rice_octet.h"

namespace ck {
namespace {

using namespace lanes;
using namespace rice;

// Frames are packed in pieces that know nothing of each other, so that threads share a long clip.
constexpr std::size_t kPieceFrames = 1024;
constexpr std::size_t kSizeBytes = 8;  // of the two streams of a piece, before all pieces
constexpr int kFirstLow = 11;  // bits of numbers in the first frame; 8 fewer for numbers of 8 bits
constexpr float kSlowestMean = 0.1f;
constexpr std::size_t kPoseFloats = 8;  // x y z 0, x y z w

struct alignas(32) Pose {
  Vec place;
  Quat turn;
};

CK_LANES_INLINE Vec plus(const Vec& a, const Vec& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
CK_LANES_INLINE Vec minus(const Vec& a, const Vec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
CK_LANES_INLINE Vec times(const Vec& v, const F8& factor) {
  return {v.x * factor, v.y * factor, v.z * factor};
}
CK_LANES_INLINE Quat inverse(const Quat& q) {
  return {-q.x, -q.y, -q.z, q.w};
}
CK_LANES_INLINE Vec turned(const Quat& q, const Vec& v) {
  const Vec c = {q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y,
                 q.x * v.y - q.y * v.x + q.w * v.z};
  return {v.x + 2.0f * (q.y * c.z - q.z * c.y), v.y + 2.0f * (q.z * c.x - q.x * c.z),
          v.z + 2.0f * (q.x * c.y - q.y * c.x)};
}
CK_LANES_INLINE F8 root(const F8& x) {
  float roots[kCount];
  store(roots, x);
  for (float& value : roots) value = std::sqrt(value);
  return load<F8>(roots);
}

class Writer : public RiceWriter {
 public:
  static constexpr bool kJudges = false;
};
class Reader : public RiceReader {
 public:
  using RiceReader::RiceReader;
  static constexpr bool kJudges = false;
};

// In place of a writer: adds up how many bits each way would need, by octet.
class Judge {
 public:
  static constexpr bool kWrites = true;
  static constexpr bool kJudges = true;
  explicit Judge(std::size_t octets) : costs(octets) {
    for (Costs& texels : costs) {
      for (auto& ways : texels.at) {
        for (auto& channels : ways) channels.fill(allOf(0));
      }
    }
  }

  std::vector<Costs> costs;
};

// One piece of a clip, with the numbers of its frames in a block.
struct Piece {
  const ClipModel& model;
  // Numbers of 16 bits: all channels of the first joint in the first frame of the piece, to be
  // packed or to be filled in.
  const std::byte* from;
  std::byte* to;
  std::size_t stride;  // bytes from joint to joint
  std::size_t frames;
  std::span<const std::byte> head;
};

// Codes a piece with a Writer, decodes one with a Reader, or judges the ways.
template <class Coder>
class PieceCoder {
 public:
  CK_LANES_INLINE PieceCoder(const Piece& piece, std::vector<Octet>& octets, Coder& coder)
      : piece_(piece),
        octets_(octets),
        coder_(coder),
        top_((1 << piece.model.bits) - 1),
        signShift_(32 - piece.model.bits),
        poses_(kPoseFloats * (piece.model.joints.size() + 2), 0.0f) {
    poses_[kPoseFloats * piece.model.joints.size() + 7] = 1.0f;  // the world is not turned
  }

  // False where a reader's bytes cannot be those of a piece.
  CK_LANES_INLINE bool run() {
    for (Octet& octet : octets_) begin(octet, piece_.model, piece_.head);
    for (frame_ = 0; frame_ < piece_.frames; ++frame_) {
      share_ = all(std::max(kSlowestMean, 1.0f / static_cast<float>(frame_ + 1)));
      // Errors are read before any of them is needed: what is stored one by one is not at hand as
      // eight at once.
      if constexpr (!Coder::kWrites) {
        for (Octet& octet : octets_) {
          codeErrors(octet);
          if (coder_.isBeyond()) return false;
        }
      }
      for (index_ = 0; index_ < octets_.size(); ++index_) {
        Octet& octet = octets_[index_];
        codeOctet(octet);
        if constexpr (Coder::kWrites && !Coder::kJudges) codeErrors(octet);
      }
    }
    return true;
  }

 private:
  CK_LANES_INLINE void codeOctet(Octet& octet) {
    const Pose parent = parentOf(octet);
    if constexpr (Coder::kWrites) takeNumbers(octet);
    Pose pose = {{all(0.0f), all(0.0f), all(0.0f)}, {all(0.0f), all(0.0f), all(0.0f), all(1.0f)}};
    for (std::size_t texel = 0; 4 * texel < piece_.model.channels; ++texel) {
      switch (piece_.model.roles[texel]) {
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
    if constexpr (!Coder::kWrites) putNumbers(octet);
    keepPose(octet, pose);
  }

  // Whether the channel of any joint may be another one than in the frame before.
  CK_LANES_INLINE bool isMoving(const Octet& octet, std::size_t channel) const {
    return frame_ == 0 || octet.moves[channel];
  }

  CK_LANES_INLINE Pose parentOf(const Octet& octet) const {
    const auto at = [&](int lane) { return &poses_[kPoseFloats * octet.parents[lane]]; };
    F8 place[4];
    F8 turn[4];
    for (int i = 0; i < 4; ++i) {
      place[i] = joined(load<F4>(at(i)), load<F4>(at(i + 4)));
      turn[i] = joined(load<F4>(at(i) + 4), load<F4>(at(i + 4) + 4));
    }
    transpose(place);
    transpose(turn);
    return {{place[0], place[1], place[2]}, {turn[0], turn[1], turn[2], turn[3]}};
  }
  CK_LANES_INLINE void keepPose(const Octet& octet, const Pose& pose) {
    F8 place[4] = {pose.place.x, pose.place.y, pose.place.z, all(0.0f)};
    F8 turn[4] = {pose.turn.x, pose.turn.y, pose.turn.z, pose.turn.w};
    transpose(place);
    transpose(turn);
    for (int lane = 0; lane < kCount; ++lane) {
      float* to = &poses_[kPoseFloats * octet.joints[lane]];
      const F8& p = place[lane % 4];
      const F8& q = turn[lane % 4];
      store(to, lane < 4 ? lowHalf(p) : highHalf(p));
      store(to + 4, lane < 4 ? lowHalf(q) : highHalf(q));
    }
  }
  CK_LANES_INLINE static F4 highHalf(const F8& v) {
    return __builtin_shufflevector(v, v, 4, 5, 6, 7);
  }

  CK_LANES_INLINE std::size_t rowOf(const Octet& octet, std::size_t lane) const {
    return octet.joints[lane] * piece_.stride + 2 * frame_ * piece_.model.channels;
  }
  CK_LANES_INLINE void takeNumbers(const Octet& octet) {
    numbers_.fill(allOf(0));
    for (std::size_t lane = 0; lane < octet.count; ++lane) {
      const std::byte* row = piece_.from + rowOf(octet, lane);
      for (std::size_t first = 0; first < piece_.model.channels; first += 4) {
        std::uint16_t texel[4];
        std::memcpy(texel, row + 2 * first, sizeof texel);
        for (std::size_t i = 0; i < 4; ++i) {
          numbers_[first + i][static_cast<int>(lane)] = texel[i];
        }
      }
    }
  }
  CK_LANES_INLINE void putNumbers(const Octet& octet) {
    for (std::size_t lane = 0; lane < octet.count; ++lane) {
      std::byte* row = piece_.to + rowOf(octet, lane);
      for (std::size_t first = 0; first < piece_.model.channels; first += 4) {
        std::uint64_t texel = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          const auto number =
              static_cast<std::uint32_t>(numbers_[first + i][static_cast<int>(lane)]);
          texel |= std::uint64_t{number} << (16 * i);
        }
        std::memcpy(row + 2 * first, &texel, sizeof texel);
      }
    }
  }

  // The number of a value, which is rounded and brought between 0 and top.
  CK_LANES_INLINE I8 numberOf(const F8& value, const F8& low, const F8& perStep) const {
    const auto top = static_cast<float>(top_);
    F8 number = (value - low) * perStep + 0.5f;
    number = number > 0.0f ? number : all(0.0f);
    number = number < top ? number : all(top);
    return __builtin_convertvector(number, I8);
  }
  CK_LANES_INLINE I8 numberOf(const Octet& octet, std::size_t channel, const F8& value) const {
    return numberOf(value, octet.low[channel], octet.perStep[channel]);
  }
  CK_LANES_INLINE static F8 valueOf(const Octet& octet, std::size_t channel, const I8& number) {
    return octet.low[channel] + __builtin_convertvector(number, F8) * octet.step[channel];
  }
  CK_LANES_INLINE I8 limited(I8 number) const {
    number = number > 0 ? number : allOf(0);
    return number < top_ ? number : allOf(top_);
  }
  // A channel by itself, as it would go on evenly.
  CK_LANES_INLINE I8 evenly(const Octet& octet, std::size_t channel) const {
    return limited(2 * octet.before[channel] - octet.before2[channel]);
  }

  // The numbers of three channels of a place in one way.
  CK_LANES_INLINE void guessPlace(const Octet& octet, std::size_t channel, const Pose& parent,
                                  const I8& way, I8 (&guess)[3]) const {
    const Offsets& o = octet.offsets;
    const I8 byMean = way == 0;
    const F8 on = way == 2 ? all(1.0f) : all(0.0f);
    const Vec going = plus(o.last, times(minus(o.last, o.before), on));
    const Vec offset = {byMean ? o.mean.x : going.x, byMean ? o.mean.y : going.y,
                        byMean ? o.mean.z : going.z};
    const Vec place = plus(parent.place, turned(parent.turn, offset));
    guess[0] = numberOf(octet, channel, place.x);
    guess[1] = numberOf(octet, channel + 1, place.y);
    guess[2] = numberOf(octet, channel + 2, place.z);
    if (frame_ == 0) return;
    const I8 alone = way == kAlone;
    if (!anyTrue(alone)) return;
    for (std::size_t i = 0; i < 3; ++i) {
      guess[i] = alone ? evenly(octet, channel + i) : guess[i];
    }
  }

  CK_LANES_INLINE void codePlace(Octet& octet, std::size_t texel, const Pose& parent, Vec& place) {
    const std::size_t channel = 4 * texel;
    I8 guess[3];
    if constexpr (Coder::kJudges) {
      for (std::size_t way = 0; way < kWays; ++way) {
        guessPlace(octet, channel, parent, allOf(static_cast<int>(way)), guess);
        for (std::size_t i = 0; i < 3; ++i) {
          judge(octet, coder_.costs[index_].at[texel][way][i], channel + i, guess[i]);
        }
      }
    } else {
      guessPlace(octet, channel, parent, octet.ways[texel], guess);
    }
    F8 values[3];
    for (std::size_t i = 0; i < 3; ++i) {
      values[i] = valueOf(octet, channel + i, codeNumber(octet, channel + i, guess[i]));
    }
    if (isMoving(octet, channel + 3)) {
      codeNumber(octet, channel + 3, octet.before[channel + 3]);
    } else {
      numbers_[channel + 3] = octet.before[channel + 3];
    }
    place = {values[0], values[1], values[2]};
    Offsets& o = octet.offsets;
    const Vec offset = turned(inverse(parent.turn), minus(place, parent.place));
    o.before = frame_ == 0 ? offset : o.last;
    o.last = offset;
    o.mean = plus(o.mean, times(minus(offset, o.mean), share_));
  }

  CK_LANES_INLINE Quat guessTurn(const Octet& octet, const Pose& parent, const I8& way) const {
    const Turns& t = octet.turns;
    const F8 on = way == 1 ? all(1.0f) : way == 2 ? all(0.5f) : all(0.0f);
    const Quat g = {
        t.last.x + (t.last.x - t.before.x) * on, t.last.y + (t.last.y - t.before.y) * on,
        t.last.z + (t.last.z - t.before.z) * on, t.last.w + (t.last.w - t.before.w) * on};
    // Nearly divided by its length, which is nearly 1.
    const F8 size = 1.5f - 0.5f * lanes::dot(g, g);
    const Quat turn = multiplied(parent.turn, {g.x * size, g.y * size, g.z * size, g.w * size});
    return agreeing(t.whole, turn);
  }

  CK_LANES_INLINE void codeTurn(Octet& octet, std::size_t texel, const Pose& parent, Quat& turn) {
    const std::size_t channel = 4 * texel;
    if constexpr (Coder::kJudges) judgeTurns(octet, texel, parent);
    const I8 way = octet.ways[texel];
    const Quat guessed = guessTurn(octet, parent, way);
    const F8 of[4] = {guessed.x, guessed.y, guessed.z, guessed.w};
    const I8 alone = frame_ == 0 ? allOf(0) : way == kAlone;
    const bool anyAlone = anyTrue(alone);
    // The last channel follows from the others, whose numbers come first.
    const LastChannel& last = octet.lasts[texel];
    F8 rest = all(1.0f);
    F8 sign = all(0.0f);
    I8 lastError = allOf(0);
    I8 lastBefore = allOf(0);
    F8 values[4];
    I8 guesses[4];
    for (std::size_t i = 0; i < 4; ++i) {
      guesses[i] = numberOf(octet, channel + i, of[i]);
      if (anyAlone) guesses[i] = alone ? evenly(octet, channel + i) : guesses[i];
      if constexpr (!Coder::kWrites) {
        const I8& error = octet.errors[channel + i];
        lastError = last.isAt[i] != 0 ? error : lastError;
        lastBefore = last.isAt[i] != 0 ? octet.before[channel + i] : lastBefore;
        numbers_[channel + i] =
            settled(octet.keeps[channel + i], octet.before[channel + i], guesses[i] + error);
      }
      sign = last.isAt[i] != 0 ? of[i] : sign;
      values[i] = valueOf(octet, channel + i, numbers_[channel + i]);
      rest = last.isAt[i] != 0 ? rest : rest - values[i] * values[i];
    }
    const F8 length = root(rest > 0.0f ? rest : all(0.0f));
    const I8 lastGuess = numberOf(sign < 0.0f ? -length : length, last.low, last.perStep);
    if constexpr (!Coder::kWrites) {
      const I8 number = settled(last.keeps, lastBefore, lastGuess + lastError);
      const F8 value = last.low + __builtin_convertvector(number, F8) * last.step;
      for (std::size_t i = 0; i < 4; ++i) {
        numbers_[channel + i] = last.isAt[i] != 0 ? number : numbers_[channel + i];
        values[i] = last.isAt[i] != 0 ? value : values[i];
      }
    }
    for (std::size_t i = 0; i < 4; ++i) {
      if constexpr (Coder::kWrites) {
        tellError(octet, channel + i, last.isAt[i] != 0 ? lastGuess : guesses[i]);
      }
      remember(octet, channel + i);
    }
    turn = {values[0], values[1], values[2], values[3]};
    Turns& t = octet.turns;
    const Quat local = multiplied(inverse(parent.turn), turn);
    t.before = frame_ == 0 ? local : agreeing(local, t.last);
    t.last = local;
    t.whole = turn;
  }

  CK_LANES_INLINE void judgeTurns(Octet& octet, std::size_t texel, const Pose& parent) {
    const std::size_t channel = 4 * texel;
    F8 values[4];
    for (std::size_t i = 0; i < 4; ++i) {
      values[i] = valueOf(octet, channel + i, numbers_[channel + i]);
    }
    F8 of[4] = {};
    for (std::size_t way = 0; way < kWays; ++way) {
      const bool isAlone = way == kAlone && frame_ > 0;
      const Quat guess = guessTurn(octet, parent, allOf(static_cast<int>(way)));
      of[0] = guess.x, of[1] = guess.y, of[2] = guess.z, of[3] = guess.w;
      for (std::size_t i = 0; i < 4; ++i) {
        judge(octet, coder_.costs[index_].at[texel][way][i], channel + i,
              isAlone ? evenly(octet, channel + i) : numberOf(octet, channel + i, of[i]));
      }
    }
    for (std::size_t i = 0; i < 4; ++i) {
      F8 rest = all(1.0f);
      for (std::size_t k = 0; k < 4; ++k) {
        if (k != i) rest = rest - values[k] * values[k];
      }
      const F8 length = root(rest > 0.0f ? rest : all(0.0f));
      judge(octet, coder_.costs[index_].at[texel][kWays][i], channel + i,
            numberOf(octet, channel + i, of[i] < 0.0f ? -length : length));
    }
  }

  // As before, evenly onwards, half of that, and with the change of the step.
  CK_LANES_INLINE I8 guessPlain(const Octet& octet, std::size_t channel, const I8& way) const {
    const I8 step = octet.before[channel] - octet.before2[channel];
    const I8 more = step - (octet.before2[channel] - octet.before3[channel]);
    const I8 on = way == 1 ? step : way == 2 ? step >> 1 : way == 3 ? step + more : allOf(0);
    return limited(octet.before[channel] + on);
  }
  CK_LANES_INLINE void codePlain(Octet& octet, std::size_t texel) {
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t channel = 4 * texel + i;
      if constexpr (Coder::kJudges) {
        for (std::size_t way = 0; way < kWays; ++way) {
          judge(octet, coder_.costs[index_].at[texel][way][i], channel,
                guessPlain(octet, channel, allOf(static_cast<int>(way))));
        }
      }
      codeNumber(octet, channel, guessPlain(octet, channel, octet.ways[texel]));
    }
  }

  // Adds about how many bits it takes to say by how much a guess is wrong.
  CK_LANES_INLINE void judge(const Octet& octet, I8& cost, std::size_t channel,
                             const I8& guess) const {
    I8 error = numbers_[channel] - guess;
    error = error < 0 ? -error : error;
    const I8 bits = std::bit_cast<I8>(__builtin_convertvector(2 * error + 1, F8)) >> 23;
    cost += (bits - 127) & ~octet.keeps[channel];
  }

  CK_LANES_INLINE const I8& codeNumber(Octet& octet, std::size_t channel, const I8& guess) {
    if constexpr (Coder::kWrites) {
      tellError(octet, channel, guess);
    } else {
      numbers_[channel] =
          settled(octet.keeps[channel], octet.before[channel], guess + octet.errors[channel]);
    }
    remember(octet, channel);
    return numbers_[channel];
  }
  // Errors are taken modulo what a number can be.
  CK_LANES_INLINE void tellError(Octet& octet, std::size_t channel, const I8& guess) {
    octet.errors[channel] = ((numbers_[channel] - guess) << signShift_) >> signShift_;
  }
  CK_LANES_INLINE I8 settled(const I8& keeps, const I8& before, const I8& number) const {
    if (frame_ == 0) return number & top_;
    return keeps != 0 ? before : number & top_;
  }
  CK_LANES_INLINE void remember(Octet& octet, std::size_t channel) {
    const I8& number = numbers_[channel];
    octet.before3[channel] = frame_ == 0 ? number : octet.before2[channel];
    octet.before2[channel] = frame_ == 0 ? number : octet.before[channel];
    octet.before[channel] = number;
  }

  // Codes how far numbers are from their guesses: small ones of both signs as small numbers, with
  // as many plain bits as the errors before let expect.
  CK_LANES_INLINE void codeErrors(Octet& octet) {
    I8 codes[kMostChannels];
    I8 low[kMostChannels];
    for (std::size_t channel = 0; channel < piece_.model.channels; ++channel) {
      codes[channel] = allOf(0);
      if constexpr (Coder::kWrites) {
        const I8& error = octet.errors[channel];
        codes[channel] = (error << 1) ^ (error >> 31);
      }
      low[channel] = allOf(kFirstLow - (kNumberBits - piece_.model.bits));
      if (frame_ == 0) continue;
      const I8& trail = octet.trails[channel];
      const F8 size = __builtin_convertvector(trail + (trail >> 2), F8);
      const I8 exponent = (std::bit_cast<I8>(size) >> 23) - 129;
      low[channel] = exponent > 0 ? exponent : allOf(0);
    }
    coder_.code(codes, low, frame_ == 0 ? octet.codedFirst : octet.coded);
    for (std::size_t channel = 0; channel < piece_.model.channels; ++channel) {
      if (!isMoving(octet, channel)) continue;
      const I8 code = codes[channel];
      I8& trail = octet.trails[channel];
      if (frame_ > 0) trail += ((code + 1) >> 1) - (trail >> 2);
      if constexpr (!Coder::kWrites) octet.errors[channel] = (code >> 1) ^ -(code & 1);
    }
  }

  const Piece& piece_;
  std::vector<Octet>& octets_;
  Coder& coder_;
  const int top_;
  const int signShift_;
  std::vector<float> poses_;  // of joints in this frame; then of the world, and of unused lanes
  std::size_t frame_ = 0;
  std::size_t index_ = 0;  // of the octet
  F8 share_ = {};
  std::array<I8, kMostChannels> numbers_ = {};
};

struct Paths {
  CK_LANES_CLONES static void judgeBest(const Piece& piece, std::vector<Octet>& octets,
                                        Judge& judge) {
    PieceCoder<Judge>(piece, octets, judge).run();
  }
  static void judgePlain(const Piece& piece, std::vector<Octet>& octets, Judge& judge) {
    PieceCoder<Judge>(piece, octets, judge).run();
  }
  CK_LANES_CLONES static void writeBest(const Piece& piece, std::vector<Octet>& octets,
                                        Writer& writer) {
    PieceCoder<Writer>(piece, octets, writer).run();
  }
  static void writePlain(const Piece& piece, std::vector<Octet>& octets, Writer& writer) {
    PieceCoder<Writer>(piece, octets, writer).run();
  }
  CK_LANES_CLONES static bool readBest(const Piece& piece, std::vector<Octet>& octets,
                                       Reader& reader) {
    return PieceCoder<Reader>(piece, octets, reader).run();
  }
  static bool readPlain(const Piece& piece, std::vector<Octet>& octets, Reader& reader) {
    return PieceCoder<Reader>(piece, octets, reader).run();
  }
};

// The bytes that say how a piece is predicted, by joint and texel: at first only what stays.
std::vector<std::byte> keptChannels(const Piece& piece) {
  const std::size_t channels = piece.model.channels;
  std::vector<std::byte> head(piece.model.joints.size() * channels / 4);
  for (std::size_t joint = 0; joint < piece.model.joints.size(); ++joint) {
    const std::byte* first = piece.from + joint * piece.stride;
    std::array<bool, kMostChannels> moves = {};
    for (std::size_t frame = 1; frame < piece.frames; ++frame) {
      const std::byte* row = first + 2 * frame * channels;
      for (std::size_t i = 0; i < channels; ++i) {
        moves[i] = moves[i] || row[2 * i] != first[2 * i] || row[2 * i + 1] != first[2 * i + 1];
      }
    }
    for (std::size_t i = 0; i < channels; ++i) {
      if (!moves[i]) head[(joint * channels + i) / 4] |= std::byte{1} << (i % 4);
    }
  }
  return head;
}

// The way, and the channel of a rotation that follows from the length of 1, that take fewest bits.
std::byte bestWay(const Costs& costs, std::size_t lane, std::size_t texel, TexelRole role) {
  const auto cost = [&](std::size_t way, std::size_t channel) {
    return costs.at[texel][way][channel][static_cast<int>(lane)];
  };
  int best = 0;
  int least = 0;
  for (std::size_t way = 0; way < kWays; ++way) {
    int sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += cost(way, i);
    for (std::size_t last = 0; last < (role == TexelRole::Rotation ? 4u : 1u); ++last) {
      const int total =
          role == TexelRole::Rotation ? sum - cost(way, last) + cost(kWays, last) : sum;
      if ((way > 0 || last > 0) && total >= least) continue;
      least = total;
      best = static_cast<int>((way << kWayShift) | (last << kLastShift));
    }
  }
  return static_cast<std::byte>(best);
}

// Numbers of 8 bits as ones of 16, and back.
std::vector<std::byte> widened(const ClipBlock& block) {
  std::vector<std::byte> wide(2 * block.bytes.size());
  for (std::size_t i = 0; i < block.bytes.size(); ++i) wide[2 * i] = block.bytes[i];
  return wide;
}

std::size_t pieceCount(const ClipModel& model) {
  return (model.frames + kPieceFrames - 1) / kPieceFrames;
}

Piece pieceOf(const ClipModel& model, std::size_t index, const std::byte* from, std::byte* to) {
  const std::size_t first = index * kPieceFrames;
  const std::size_t bytes = 2 * first * model.channels;
  return {model,
          from == nullptr ? nullptr : from + bytes,
          to == nullptr ? nullptr : to + bytes,
          2 * model.frames * model.channels,
          std::min(kPieceFrames, model.frames - first),
          {}};
}

}  // namespace

bool hasRiceForm(const ClipModel& model) {
  return model.bits <= kNumberBits &&
         std::ranges::find(model.roles, TexelRole::Rotation) != model.roles.end();
}

std::vector<std::byte> packRice(const ClipModel& model, const ClipBlock& block,
                                const JobContext& job, LanePath path) {
  const std::vector<std::byte> wide = model.bits == 8 ? widened(block) : std::vector<std::byte>();
  const std::byte* numbers = model.bits == 8 ? wide.data() : block.bytes.data();
  const std::vector<Octet> blank = octetsOf(model);
  const std::size_t count = pieceCount(model);
  std::vector<std::array<std::vector<std::byte>, 3>> pieces(count);  // head, counts, bits
  parallelFor(count, job, [&](std::size_t index) {
    Piece piece = pieceOf(model, index, numbers, nullptr);
    std::vector<std::byte> head = keptChannels(piece);
    piece.head = head;
    std::vector<Octet> octets = blank;
    Judge judge(octets.size());
    (path == LanePath::Best ? Paths::judgeBest : Paths::judgePlain)(piece, octets, judge);
    const std::size_t texels = model.channels / 4;
    for (std::size_t o = 0; o < octets.size(); ++o) {
      const Octet& octet = octets[o];
      for (std::size_t lane = 0; lane < octet.count; ++lane) {
        for (std::size_t texel = 0; texel < texels; ++texel) {
          head[octet.joints[lane] * texels + texel] |=
              bestWay(judge.costs[o], lane, texel, model.roles[texel]);
        }
      }
    }
    Writer writer;
    (path == LanePath::Best ? Paths::writeBest : Paths::writePlain)(piece, octets, writer);
    pieces[index] = {std::move(head), writer.takeCounts(), writer.takeBits()};
  });
  ByteWriter out;
  for (const auto& [head, counts, bits] : pieces) {
    out.number(static_cast<std::uint32_t>(counts.size()));
    out.number(static_cast<std::uint32_t>(bits.size()));
  }
  for (const auto& [head, counts, bits] : pieces) {
    out.raw(head);
    out.raw(counts);
    out.raw(bits);
  }
  return out.take();
}

bool unpackRice(const ClipModel& model, std::span<const std::byte> packed, ClipBlock& block,
                const JobContext& job, LanePath path) {
  const std::size_t count = pieceCount(model);
  if (packed.size() / kSizeBytes < count) return false;
  struct Part {
    std::span<const std::byte> head, counts, bits;
  };
  std::vector<Part> parts(count);
  const std::size_t headBytes = model.joints.size() * model.channels / 4;
  ByteReader sizes(packed);
  std::span<const std::byte> rest = packed.subspan(kSizeBytes * count);
  const auto take = [&](std::size_t size, std::span<const std::byte>& part) {
    if (size > rest.size()) return false;
    part = rest.first(size);
    rest = rest.subspan(size);
    return true;
  };
  for (Part& part : parts) {
    const auto countBytes = sizes.number<std::uint32_t>();
    const auto bitBytes = sizes.number<std::uint32_t>();
    if (!take(headBytes, part.head) || !take(countBytes, part.counts) ||
        !take(bitBytes, part.bits)) {
      return false;
    }
  }
  if (!rest.empty()) return false;
  block.bytes.resize(block.size());
  std::vector<std::byte> wide(model.bits == 8 ? 2 * block.size() : 0);
  std::byte* numbers = model.bits == 8 ? wide.data() : block.bytes.data();
  const std::vector<Octet> blank = octetsOf(model);
  std::atomic<bool> isGood = true;
  parallelFor(count, job, [&](std::size_t index) {
    const Part& part = parts[index];
    std::vector<std::byte> streams(part.counts.size() + part.bits.size() +
                                   2 * RiceReader::kPadding);
    std::byte* bits = streams.data() + part.counts.size() + RiceReader::kPadding;
    std::ranges::copy(part.counts, streams.data());
    std::ranges::copy(part.bits, bits);
    Piece piece = pieceOf(model, index, nullptr, numbers);
    piece.head = part.head;
    std::vector<Octet> octets = blank;
    Reader reader(streams.data(), part.counts.size(), bits, part.bits.size());
    const bool isWhole =
        (path == LanePath::Best ? Paths::readBest : Paths::readPlain)(piece, octets, reader) &&
        reader.atEnd();
    if (!isWhole) isGood = false;
  });
  if (!isGood) return false;
  for (std::size_t i = 0; i < wide.size() / 2; ++i) block.bytes[i] = wide[2 * i];
  return true;
}

}  // namespace ck
