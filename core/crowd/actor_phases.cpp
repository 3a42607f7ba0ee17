#include "core/crowd/actor_phases.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "core/base/assert.h"
#include "core/base/lanes.h"

namespace ck {
namespace {

using namespace lanes;

constexpr std::size_t kLanes = 8;
constexpr std::size_t kHalf = 4;

// Below this magnitude, the integer part of a number is taken by adding and subtracting kRounder.
// Larger numbers are handled actor by actor.
constexpr double kMostCycles = 1e15;
constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52

// Up to this frame number, frames of looping clips are computed with 32-bit integers.
constexpr int kMostIntervals = 65535;

// The largest integer not above x; |x| < 2^51.
CK_LANES_INLINE D4 floorOf(const D4& x) {
  const D4 nearest = (x + kRounder) - kRounder;
  return nearest > x ? nearest - 1.0 : nearest;
}

// As fractionOf() in playback.cpp.
CK_LANES_INLINE D4 fractionOf(const D4& cycles) {
  const D4 fraction = cycles - floorOf(cycles);
  return fraction >= 1.0 ? D4{} : fraction;
}

CK_LANES_INLINE D4 clamped(const D4& x, const D4& low, const D4& high) {
  const D4 capped = high < x ? high : x;
  return x < low ? low : capped;
}

// loopPlace() of eight actors at the time `low` + 2^32 `high`. Bits 32 to 63 of a product of two
// 64-bit numbers come from the lower halves' product, whose 16-bit parts are multiplied here, and
// from the lower 32 bits of both mixed products.
CK_LANES_INLINE U8 placeOf(std::uint32_t low, std::uint32_t high, const U8& start,
                           const U8& paceLow, const U8& paceHigh) {
  const std::uint32_t a = low >> 16;
  const std::uint32_t b = low & 0xffffu;
  const U8 c = paceLow >> 16;
  const U8 d = paceLow & 0xffffu;
  const U8 ad = d * a;
  const U8 bc = c * b;
  const U8 middle = ((d * b) >> 16) + (ad & 0xffffu) + (bc & 0xffffu);
  const U8 upper = c * a + (ad >> 16) + (bc >> 16) + (middle >> 16);
  return start + upper + paceHigh * low + paceLow * high;
}

// Arguments of the functions that write frames.
struct Writing {
  const std::uint32_t* actors = nullptr;
  std::size_t count = 0;  // number of actors, not necessarily a multiple of eight
  int firstFrame = 0;
  int lastInterval = 0;
  const std::int32_t* stored = nullptr;  // as Run::frames, null if that is empty
  gpu::CkFrames* frames = nullptr;
};

// Frame A and its fraction, as they are adjacent in a record.
struct FrameA {
  std::int32_t frame;
  float alpha;
};
static_assert(offsetof(gpu::CkFrames, frameA) == 0 && offsetof(gpu::CkFrames, alphaA) == 4);

// Replaces moments by stored frames.
void findFrames(const Writing& to, std::size_t lanes, FrameA* shown) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const int moment = shown[lane].frame - to.firstFrame;
    // The end of a clip is its last frame, also where that is a step frame.
    const bool atEnd = moment == to.lastInterval && shown[lane].alpha >= 1.0f;
    shown[lane].frame = to.firstFrame + to.stored[moment + (atEnd ? 1 : 0)];
  }
}

CK_LANES_INLINE void put(const Writing& to, std::size_t i, std::size_t lanes, FrameA* shown) {
  if (to.stored != nullptr) findFrames(to, lanes, shown);
  const std::uint32_t* actors = to.actors + i;
  if (lanes <= to.count - i) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::memcpy(&to.frames[actors[lane]], &shown[lane], sizeof(FrameA));
    }
    return;
  }
  for (std::size_t lane = 0; lane < to.count - i; ++lane) {
    std::memcpy(&to.frames[actors[lane]], &shown[lane], sizeof(FrameA));
  }
}

template <typename I, typename F>
CK_LANES_INLINE void pair(const I& frames, const F& alphas, FrameA* shown) {
  const I bits = std::bit_cast<I>(alphas);
  // Interleave the first halves of both vectors, then the second halves.
  if constexpr (sizeof(I) == sizeof(I8)) {
    store(shown, __builtin_shufflevector(frames, bits, 0, 8, 1, 9, 2, 10, 3, 11));
    store(shown + kHalf, __builtin_shufflevector(frames, bits, 4, 12, 5, 13, 6, 14, 7, 15));
  } else {
    store(shown, __builtin_shufflevector(frames, bits, 0, 4, 1, 5));
    store(shown + kHalf / 2, __builtin_shufflevector(frames, bits, 2, 6, 3, 7));
  }
}

// place * intervals has the frame in its upper 32 bits and the fraction in its lower 32 bits. The
// 64-bit product is computed from 16-bit halves. The fraction is converted to float in two halves,
// so that only their sum is rounded.
CK_LANES_INLINE void writeLooping(const Writing& to, std::uint64_t time,
                                  const std::uint32_t* starts, const std::uint32_t* pacesLow,
                                  const std::uint32_t* pacesHigh) {
  const auto low = static_cast<std::uint32_t>(time);
  const auto high = static_cast<std::uint32_t>(time >> 32);
  const std::uint32_t intervals = static_cast<std::uint32_t>(to.lastInterval) + 1;
  const std::uint32_t firstFrame = static_cast<std::uint32_t>(to.firstFrame);
  alignas(32) FrameA shown[kLanes];
  for (std::size_t i = 0; i < to.count; i += kLanes) {
    const U8 place =
        placeOf(low, high, load<U8>(starts + i), load<U8>(pacesLow + i), load<U8>(pacesHigh + i));
    const U8 upper = (place >> 16) * intervals + (((place & 0xffffu) * intervals) >> 16);
    const U8 lower = place * intervals;
    const I8 upperHalf = (I8)(lower >> 16);
    const I8 lowerHalf = (I8)(lower & 0xffffu);
    const F8 fraction =
        __builtin_convertvector(upperHalf, F8) * 65536.0f + __builtin_convertvector(lowerHalf, F8);
    pair((I8)((upper >> 16) + firstFrame), F8(fraction * 0x1p-32f), shown);
    put(to, i, kLanes, shown);
  }
}

CK_LANES_INLINE void writeUnits(const Writing& to, std::size_t i, const D4& unit) {
  alignas(16) FrameA shown[kHalf];
  const D4 x = unit * (static_cast<double>(to.lastInterval) + 1.0);
  const I4 whole = __builtin_convertvector(x, I4);
  const I4 last = I4{} + to.lastInterval;
  const I4 frame = whole < last ? whole : last;
  const F4 alpha = __builtin_convertvector(x - __builtin_convertvector(frame, D4), F4);
  pair(I4(frame + to.firstFrame), alpha, shown);
  put(to, i, kHalf, shown);
}

CK_LANES_INLINE void writeOnce(const Writing& to, double seconds, const double* paces,
                               const double* offsets) {
  for (std::size_t i = 0; i < to.count; i += kHalf) {
    const D4 cycles = seconds * load<D4>(paces + i) + load<D4>(offsets + i);
    writeUnits(to, i, clamped(cycles, D4{}, D4{} + 1.0));
  }
}

CK_LANES_INLINE void writePingPong(const Writing& to, double seconds, const double* paces,
                                   const double* offsets) {
  for (std::size_t i = 0; i < to.count; i += kHalf) {
    const D4 cycles = seconds * load<D4>(paces + i) + load<D4>(offsets + i);
    const D4 there = 2.0 * fractionOf(cycles * 0.5);
    writeUnits(to, i, there > 1.0 ? 2.0 - there : there);
  }
}

CK_LANES_CLONES void writeLoopingBest(const Writing& to, std::uint64_t time,
                                      const std::uint32_t* starts, const std::uint32_t* pacesLow,
                                      const std::uint32_t* pacesHigh) {
  writeLooping(to, time, starts, pacesLow, pacesHigh);
}
CK_LANES_CLONES void writeOnceBest(const Writing& to, double seconds, const double* paces,
                                   const double* offsets) {
  writeOnce(to, seconds, paces, offsets);
}
CK_LANES_CLONES void writePingPongBest(const Writing& to, double seconds, const double* paces,
                                       const double* offsets) {
  writePingPong(to, seconds, paces, offsets);
}

std::size_t wholeEights(std::size_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

constexpr LoopMode kLoopModes[] = {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong};

// The number of a run.
std::size_t runOf(const ClipPlay& play) {
  return static_cast<std::size_t>(play.clip) * std::size(kLoopModes) +
         static_cast<std::size_t>(play.loop);
}

}  // namespace

ActorPhases::ActorPhases(std::span<const CrowdClip> clips, std::span<const ClipPlay> plays)
    : plays_(plays.begin(), plays.end()) {
  for (const CrowdClip& clip : clips) {
    for (const LoopMode loop : kLoopModes) {
      runs_.push_back({.loop = loop,
                       .durationSeconds = clip.durationSeconds,
                       .firstFrame = clip.firstShownFrame(),
                       .lastInterval = clip.lastInterval()});
      if (clip.stepFrames.empty()) continue;
      std::vector<std::int32_t>& frames = runs_.back().frames;
      for (int moment = 0; moment <= clip.lastInterval(); ++moment) {
        frames.push_back(frameOfMoment(moment, clip.stepFrames));
      }
      // A loop never reaches its end.
      frames.push_back(loop == LoopMode::Loop ? frames.back() : clip.frameCount - 2);
    }
  }
  for (const ClipPlay& play : plays_) {
    CK_ASSERT(hasClip(clips, play.clip));
    Run& run = runs_[runOf(play)];
    ++run.count;
    const double pace = phaseAfter(1.0, play.rate, run.durationSeconds);
    run.mostPace = std::max(run.mostPace, std::abs(pace));
    run.mostOffset = std::max(run.mostOffset, std::abs(play.offset));
  }
  std::size_t slots = 0;
  std::vector<std::size_t> next;
  for (Run& run : runs_) {
    run.first = slots;
    next.push_back(slots);
    slots += wholeEights(run.count);
  }
  actor_.resize(slots);
  start_.resize(slots);
  paceLow_.resize(slots);
  paceHigh_.resize(slots);
  cyclesPerSecond_.resize(slots);
  offset_.resize(slots);
  for (const ClipPlay& play : plays_) {
    const std::size_t slot = next[runOf(play)]++;
    actor_[slot] = static_cast<std::uint32_t>(slotOf_.size());
    slotOf_.push_back(static_cast<std::uint32_t>(slot));
    const double duration = runs_[runOf(play)].durationSeconds;
    const std::uint64_t pace = loopPace(play.rate, duration);
    start_[slot] = loopStart(play.offset);
    paceLow_[slot] = static_cast<std::uint32_t>(pace);
    paceHigh_[slot] = static_cast<std::uint32_t>(pace >> 32);
    cyclesPerSecond_[slot] = phaseAfter(1.0, play.rate, duration);
    // A clip that plays once starts within its ends.
    offset_[slot] = play.loop == LoopMode::Once ? std::clamp(play.offset, 0.0, 1.0) : play.offset;
  }
}

double ActorPhases::unitOf(std::size_t actor) const {
  const std::size_t slot = slotOf_[actor];
  const LoopMode loop = plays_[actor].loop;
  if (loop != LoopMode::Loop) return unitTime(cyclesOf(slot), loop);
  const std::uint64_t pace = std::uint64_t{paceHigh_[slot]} << 32 | paceLow_[slot];
  return loopUnit(loopPlace(start_[slot], loopTime(seconds_), pace));
}

bool ActorPhases::isSteady(std::size_t actor, std::optional<gpu::CkLoop>& loop) const {
  const ClipPlay& play = plays_[actor];
  const Run& run = runs_[runOf(play)];
  if (run.lastInterval < 0) return true;
  if (run.loop != LoopMode::Loop || run.lastInterval >= kMostIntervals || !run.frames.empty()) {
    return false;
  }
  const std::size_t slot = slotOf_[actor];
  loop = gpu::CkLoop{.start = static_cast<int>(start_[slot]),
                     .paceLow = static_cast<int>(paceLow_[slot]),
                     .clip = gpu::ck_loopOfClip(play.clip),
                     .paceHigh = static_cast<int>(paceHigh_[slot])};
  return true;
}

void ActorPhases::writeFrames(std::span<gpu::CkFrames> frames, std::size_t begin,
                              std::size_t end) const {
  CK_ASSERT(frames.size() == slotOf_.size());
  const std::uint64_t time = loopTime(seconds_);
  for (const Run& run : runs_) {
    if (run.lastInterval < 0) continue;
    const auto actors = std::span(actor_).subspan(run.first, run.count);
    const auto before = [&actors](std::size_t actor) {
      const auto found = std::lower_bound(actors.begin(), actors.end(), actor);
      return std::min(wholeEights(static_cast<std::size_t>(found - actors.begin())), actors.size());
    };
    const std::size_t skipped = before(begin);
    const std::size_t count = before(end) - skipped;
    if (count == 0) continue;
    const std::size_t first = run.first + skipped;
    const Writing to{&actor_[first],
                     count,
                     run.firstFrame,
                     run.lastInterval,
                     run.frames.empty() ? nullptr : run.frames.data(),
                     frames.data()};
    const bool isNear = std::abs(seconds_) * run.mostPace + run.mostOffset < kMostCycles;
    if (run.loop == LoopMode::Loop && run.lastInterval < kMostIntervals) {
      writeLoopingBest(to, time, &start_[first], &paceLow_[first], &paceHigh_[first]);
    } else if (run.loop == LoopMode::Once) {
      writeOnceBest(to, seconds_, &cyclesPerSecond_[first], &offset_[first]);
    } else if (run.loop == LoopMode::PingPong && isNear) {
      writePingPongBest(to, seconds_, &cyclesPerSecond_[first], &offset_[first]);
    } else {
      for (const std::uint32_t actor : std::span(actor_).subspan(first, count)) {
        const FramePair pair = framesAt(unitOf(actor), run.lastInterval + 2);
        FrameA shown{run.firstFrame + pair.frame0, static_cast<float>(pair.alpha)};
        if (to.stored != nullptr) findFrames(to, 1, &shown);
        frames[actor].frameA = shown.frame;
        frames[actor].alphaA = shown.alpha;
      }
    }
  }
}

}  // namespace ck
