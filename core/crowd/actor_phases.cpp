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

struct Tick {
  double seconds = 0.0;
  double duration = 1.0;  // > 0
};

// phaseAfter() for `count` actors. Here and below, `count` is a multiple of eight.
CK_LANES_CLONES void cyclesAfter(const Tick& tick, const double* rates, std::size_t count,
                                 double* cycles) {
  for (std::size_t i = 0; i < count; i += kHalf) {
    store(cycles + i, tick.seconds * load<D4>(rates + i) / tick.duration);
  }
}

// phaseStep() for `count` actors.
CK_LANES_CLONES void fractionsAfter(const Tick& tick, const double* rates, std::size_t count,
                                    std::uint32_t* steps) {
  constexpr double kTwoTo32 = 4294967296.0;
  constexpr double kTwoTo52 = 4503599627370496.0;
  for (std::size_t i = 0; i < count; i += kHalf) {
    const D4 fraction = fractionOf(tick.seconds * load<D4>(rates + i) / tick.duration);
    // An integer below 2^52 is in the low bits of its sum with 2^52.
    const D4 sum = floorOf(fraction * kTwoTo32 + 0.5) + kTwoTo52;
    store(steps + i, __builtin_convertvector(std::bit_cast<L4>(sum), U4));
  }
}

CK_LANES_CLONES void addFractions(std::uint32_t* places, const std::uint32_t* steps,
                                  std::size_t count) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    store(places + i, load<U8>(places + i) + load<U8>(steps + i));
  }
}

// wrapPhase(phase + step) for LoopMode::Once.
CK_LANES_CLONES void addOnce(double* phases, const double* steps, const double* offsets,
                             std::size_t count) {
  for (std::size_t i = 0; i < count; i += kHalf) {
    const D4 offset = load<D4>(offsets + i);
    const D4 moved = load<D4>(phases + i) + load<D4>(steps + i);
    store(phases + i, clamped(moved, -offset, 1.0 - offset));
  }
}

// wrapPhase(phase + step) for LoopMode::PingPong.
CK_LANES_CLONES void addPingPong(double* phases, const double* steps, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kHalf) {
    const D4 moved = load<D4>(phases + i) + load<D4>(steps + i);
    store(phases + i, 2.0 * fractionOf(moved * 0.5));
  }
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
CK_LANES_CLONES void writeLooping(const Writing& to, const std::uint32_t* places) {
  const std::uint32_t intervals = static_cast<std::uint32_t>(to.lastInterval) + 1;
  const std::uint32_t firstFrame = static_cast<std::uint32_t>(to.firstFrame);
  alignas(32) FrameA shown[kLanes];
  for (std::size_t i = 0; i < to.count; i += kLanes) {
    const U8 place = load<U8>(places + i);
    const U8 upper = (place >> 16) * intervals + (((place & 0xffffu) * intervals) >> 16);
    const U8 low = place * intervals;
    const I8 lowUpper = (I8)(low >> 16);
    const I8 lowLower = (I8)(low & 0xffffu);
    const F8 fraction =
        __builtin_convertvector(lowUpper, F8) * 65536.0f + __builtin_convertvector(lowLower, F8);
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

CK_LANES_CLONES void writeOnce(const Writing& to, const double* phases, const double* offsets) {
  for (std::size_t i = 0; i < to.count; i += kHalf) {
    writeUnits(to, i, clamped(load<D4>(phases + i) + load<D4>(offsets + i), D4{}, D4{} + 1.0));
  }
}

CK_LANES_CLONES void writePingPong(const Writing& to, const double* phases, const double* offsets) {
  for (std::size_t i = 0; i < to.count; i += kHalf) {
    const D4 there = 2.0 * fractionOf((load<D4>(phases + i) + load<D4>(offsets + i)) * 0.5);
    writeUnits(to, i, there > 1.0 ? 2.0 - there : there);
  }
}

std::size_t wholeEights(std::size_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

}  // namespace

ActorPhases::ActorPhases(std::span<const CrowdClip> clips, std::span<const ClipPlay> plays)
    : plays_(plays.begin(), plays.end()) {
  constexpr LoopMode kLoopModes[] = {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong};
  const auto runOf = [&](const ClipPlay& play) {
    return static_cast<std::size_t>(play.clip) * std::size(kLoopModes) +
           static_cast<std::size_t>(play.loop);
  };
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
    run.mostRate = std::max(run.mostRate, std::abs(play.rate));
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
  rate_.resize(slots);
  offset_.resize(slots);
  startPlace_.resize(slots);
  placeStep_.resize(slots);
  phaseStep_.resize(slots);
  phase_.resize(slots);
  for (const ClipPlay& play : plays_) {
    const std::size_t slot = next[runOf(play)]++;
    actor_[slot] = static_cast<std::uint32_t>(slotOf_.size());
    slotOf_.push_back(static_cast<std::uint32_t>(slot));
    rate_[slot] = play.rate;
    offset_[slot] = play.offset;
    startPlace_[slot] = phaseStep(play.offset, 1.0, 1.0);
  }
  seek(0.0);
}

void ActorPhases::prepareSteps(double seconds) {
  stepSeconds_ = seconds;
  for (const Run& run : runs_) {
    const std::size_t first = run.first;
    const std::size_t count = wholeEights(run.count);
    if (count == 0) continue;
    const Tick tick{seconds, run.durationSeconds};
    const bool loops = run.loop == LoopMode::Loop;
    // Written so that NaN takes this branch as well.
    const bool together =
        tick.duration > 0.0 && std::abs(seconds) * run.mostRate / tick.duration < kMostCycles;
    if (together && loops) {
      fractionsAfter(tick, &rate_[first], count, &placeStep_[first]);
    } else if (together) {
      cyclesAfter(tick, &rate_[first], count, &phaseStep_[first]);
    } else {
      for (std::size_t i = first; i < first + count; ++i) {
        placeStep_[i] = phaseStep(seconds, rate_[i], tick.duration);
        phaseStep_[i] = phaseAfter(seconds, rate_[i], tick.duration);
      }
    }
  }
}

void ActorPhases::advance(double seconds) {
  if (seconds != stepSeconds_) prepareSteps(seconds);
  for (const Run& run : runs_) {
    const std::size_t first = run.first;
    const std::size_t count = wholeEights(run.count);
    if (count == 0) continue;
    const bool small = std::abs(seconds) * run.mostRate < kMostCycles * run.durationSeconds;
    if (run.loop == LoopMode::Loop) {
      addFractions(&place_[first], &placeStep_[first], count);
    } else if (run.loop == LoopMode::Once) {
      addOnce(&phase_[first], &phaseStep_[first], &offset_[first], count);
    } else if (small) {
      addPingPong(&phase_[first], &phaseStep_[first], count);
    } else {
      for (std::size_t i = first; i < first + count; ++i) {
        phase_[i] = wrapPhase(phase_[i] + phaseStep_[i], offset_[i], run.loop);
      }
    }
  }
}

void ActorPhases::seek(double seconds) {
  place_ = startPlace_;
  for (const Run& run : runs_) {
    if (run.loop == LoopMode::Loop) continue;
    for (std::size_t i = run.first; i < run.first + run.count; ++i) {
      phase_[i] = wrapPhase(0.0, offset_[i], run.loop);
    }
  }
  advance(seconds);
}

double ActorPhases::unitOf(std::size_t actor) const {
  const std::size_t slot = slotOf_[actor];
  const LoopMode loop = plays_[actor].loop;
  if (loop == LoopMode::Loop) return phaseFromFraction(place_[slot]);
  return unitTime(phase_[slot] + offset_[slot], loop);
}

void ActorPhases::writeFrames(std::span<gpu::CkFrames> frames, std::size_t begin,
                              std::size_t end) const {
  CK_ASSERT(frames.size() == slotOf_.size());
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
    if (run.loop == LoopMode::Loop && run.lastInterval < kMostIntervals) {
      writeLooping(to, &place_[first]);
    } else if (run.loop == LoopMode::Once) {
      writeOnce(to, &phase_[first], &offset_[first]);
    } else if (run.loop == LoopMode::PingPong && run.mostOffset < kMostCycles) {
      writePingPong(to, &phase_[first], &offset_[first]);
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
