#include "core/crowd/actor_phases.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/anim/clip_place.h"
#include "core/base/assert.h"
#include "core/base/lanes.h"

namespace ck {
namespace {

using namespace lanes;

constexpr std::size_t kLanes = 8;

// Up to this frame number, frames are computed with 32-bit integers.
constexpr int kMostIntervals = 65535;

// A time in halves.
struct Halves {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};
Halves halvesOf(std::uint64_t time) {
  return {static_cast<std::uint32_t>(time), static_cast<std::uint32_t>(time >> 32)};
}

// Bits 32 to 63 of eight products, whose parts of 16 bits are multiplied.
CK_LANES_INLINE U8 upperOf(std::uint32_t x, const U8& y) {
  const std::uint32_t a = x >> 16;
  const std::uint32_t b = x & 0xffffu;
  const U8 c = y >> 16;
  const U8 d = y & 0xffffu;
  const U8 ad = d * a;
  const U8 bc = c * b;
  const U8 middle = ((d * b) >> 16) + (ad & 0xffffu) + (bc & 0xffffu);
  return c * a + (ad >> 16) + (bc >> 16) + (middle >> 16);
}

// loopPlace() of eight actors. Bits 32 to 63 of a product of two 64-bit numbers come from the lower
// halves' product and from the lower 32 bits of both mixed products.
CK_LANES_INLINE U8 placeOf(const Halves& time, const U8& start, const U8& paceLow,
                           const U8& paceHigh) {
  return start + upperOf(time.low, paceLow) + paceHigh * time.low + paceLow * time.high;
}

CK_LANES_INLINE U8 lesser(const U8& a, const U8& b) {
  return a < b ? a : b;
}

// placeOnce() of eight actors. Products of magnitudes are as in placeOf(), and the clip is over if
// one of the parts that are left out there is not 0, or if their sum is more than the clip.
CK_LANES_INLINE U8 placeOnceOf(const Halves& time, const U8& start, const U8& paceLow,
                               const U8& paceHigh) {
  const bool before = time.high >> 31 != 0;
  const std::uint32_t low = before ? 0u - time.low : time.low;
  const std::uint32_t high = before ? ~time.high + (low == 0u ? 1u : 0u) : time.high;
  const U8 backwards = (U8)((I8)paceHigh >> 31);  // all bits or none
  const U8 speedLow = (paceLow ^ backwards) - backwards;
  const U8 carried = (U8)(speedLow == 0u) & backwards;
  const U8 speedHigh = (paceHigh ^ backwards) - carried;
  const U8 lower = upperOf(low, speedLow);
  const U8 sum = lower + speedLow * high + speedHigh * low;
  const U8 beyond = upperOf(high, speedLow) | upperOf(low, speedHigh) | (sum >> 31) |
                    (high != 0 ? speedHigh : U8{}) | (U8)(sum < lower);
  const U8 gone = beyond != 0u ? U8{} + kPlacesOneWay : sum;
  const U8 onwards = start + lesser(gone, kPlacesOneWay - start);
  const U8 back = start - lesser(gone, start);
  const U8 returns = before ? ~backwards : backwards;
  return returns != 0u ? back : onwards;
}

// Arguments of the functions that write frames.
struct Writing {
  const std::uint32_t* actors = nullptr;
  std::size_t count = 0;  // number of actors, not necessarily a multiple of eight
  int firstFrame = 0;
  int lastInterval = 0;
  const IntervalFrames* intervals = nullptr;  // as Run::intervals, null if that is empty
  bool ends = false;                          // it is not a loop, which never reaches its end
  gpu::CkFrames* frames = nullptr;
};

// Frame A and its fraction, as they are adjacent in a record.
struct FrameA {
  std::int32_t frame;
  float alpha;
};
static_assert(offsetof(gpu::CkFrames, frameA) == 0 && offsetof(gpu::CkFrames, alphaA) == 4);

// Replaces moments by stored frames, as ck_framesOfInterval() does.
void findFrames(const Writing& to, std::size_t lanes, FrameA* shown) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const int moment = shown[lane].frame - to.firstFrame;
    // The end of a clip is its last frame, also where that is a step frame.
    const bool atEnd = to.ends && moment == to.lastInterval && shown[lane].alpha >= 1.0f;
    const IntervalFrames& own = to.intervals[moment + (atEnd ? 1 : 0)];
    shown[lane].frame = to.firstFrame + own.frame;
    shown[lane].alpha = (own.offset + shown[lane].alpha) * own.share;
  }
}

CK_LANES_INLINE void put(const Writing& to, std::size_t i, FrameA* shown) {
  if (to.intervals != nullptr) findFrames(to, kLanes, shown);
  const std::uint32_t* actors = to.actors + i;
  if (kLanes <= to.count - i) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::memcpy(&to.frames[actors[lane]], &shown[lane], sizeof(FrameA));
    }
    return;
  }
  for (std::size_t lane = 0; lane < to.count - i; ++lane) {
    std::memcpy(&to.frames[actors[lane]], &shown[lane], sizeof(FrameA));
  }
}

CK_LANES_INLINE void pair(const I8& frames, const F8& alphas, FrameA* shown) {
  const I8 bits = std::bit_cast<I8>(alphas);
  // Interleave the first halves of both vectors, then the second halves.
  store(shown, __builtin_shufflevector(frames, bits, 0, 8, 1, 9, 2, 10, 3, 11));
  store(shown + kLanes / 2, __builtin_shufflevector(frames, bits, 4, 12, 5, 13, 6, 14, 7, 15));
}

// place * intervals has the frame in its upper 32 bits and the fraction in its lower 32 bits. The
// 64-bit product is computed from 16-bit halves. The fraction is converted to float in two halves,
// so that only their sum is rounded. `time` is heldTime() of clips that play once.
template <LoopMode mode>
CK_LANES_INLINE void writeMode(const Writing& to, const Halves& time, const std::uint32_t* starts,
                               const std::uint32_t* pacesLow, const std::uint32_t* pacesHigh) {
  const std::uint32_t intervals = static_cast<std::uint32_t>(to.lastInterval) + 1;
  const std::uint32_t firstFrame = static_cast<std::uint32_t>(to.firstFrame);
  alignas(32) FrameA shown[kLanes];
  for (std::size_t i = 0; i < to.count; i += kLanes) {
    const U8 start = load<U8>(starts + i);
    const U8 low = load<U8>(pacesLow + i);
    const U8 high = load<U8>(pacesHigh + i);
    U8 place = mode == LoopMode::Once ? placeOnceOf(time, start, low, high)
                                      : placeOf(time, start, low, high);
    if constexpr (mode == LoopMode::PingPong) place = lesser(place, 0u - place);
    const U8 atEnd = place >> 31;  // of what does not loop
    if constexpr (mode != LoopMode::Loop) place = place << 1;
    const U8 upper = (place >> 16) * intervals + (((place & 0xffffu) * intervals) >> 16);
    const U8 lower = place * intervals;
    const I8 upperHalf = (I8)(lower >> 16);
    const I8 lowerHalf = (I8)(lower & 0xffffu);
    U8 frame = upper >> 16;
    F8 fraction =
        __builtin_convertvector(upperHalf, F8) * 65536.0f + __builtin_convertvector(lowerHalf, F8);
    if constexpr (mode != LoopMode::Loop) {
      frame = frame + atEnd * (intervals - 1);
      fraction = atEnd != 0u ? all(0x1p32f) : fraction;
    }
    pair((I8)(frame + firstFrame), F8(fraction * 0x1p-32f), shown);
    put(to, i, shown);
  }
}

CK_LANES_CLONES void writeLoops(const Writing& to, const Halves& time, const std::uint32_t* starts,
                                const std::uint32_t* pacesLow, const std::uint32_t* pacesHigh) {
  writeMode<LoopMode::Loop>(to, time, starts, pacesLow, pacesHigh);
}
CK_LANES_CLONES void writeOnce(const Writing& to, const Halves& time, const std::uint32_t* starts,
                               const std::uint32_t* pacesLow, const std::uint32_t* pacesHigh) {
  writeMode<LoopMode::Once>(to, time, starts, pacesLow, pacesHigh);
}
CK_LANES_CLONES void writePingPong(const Writing& to, const Halves& time,
                                   const std::uint32_t* starts, const std::uint32_t* pacesLow,
                                   const std::uint32_t* pacesHigh) {
  writeMode<LoopMode::PingPong>(to, time, starts, pacesLow, pacesHigh);
}

// By LoopMode.
constexpr decltype(&writeLoops) kWriters[] = {writeLoops, writeOnce, writePingPong};

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
      if (clip.lastInterval() >= 0) runs_.back().intervals = intervalFrames(frameGridOf(clip));
    }
  }
  for (const ClipPlay& play : plays_) {
    CK_ASSERT(hasClip(clips, play.clip));
    ++runs_[runOf(play)].count;
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
  for (const ClipPlay& play : plays_) {
    const std::size_t slot = next[runOf(play)]++;
    actor_[slot] = static_cast<std::uint32_t>(slotOf_.size());
    slotOf_.push_back(static_cast<std::uint32_t>(slot));
    const double duration = runs_[runOf(play)].durationSeconds;
    const std::uint64_t pace = clipPace(play.rate, duration, play.loop);
    start_[slot] = clipStart(play.offset, play.loop);
    paceLow_[slot] = static_cast<std::uint32_t>(pace);
    paceHigh_[slot] = static_cast<std::uint32_t>(pace >> 32);
  }
}

double ActorPhases::unitAt(std::size_t actor, double seconds) const {
  const std::size_t slot = slotOf_[actor];
  const std::uint64_t pace = std::uint64_t{paceHigh_[slot]} << 32 | paceLow_[slot];
  return clipUnit(start_[slot], pace, seconds, plays_[actor].loop);
}

bool ActorPhases::isSteady(std::size_t actor, std::optional<gpu::CkPlay>& play) const {
  const ClipPlay& played = plays_[actor];
  const Run& run = runs_[runOf(played)];
  if (run.lastInterval < 0) return true;
  if (run.lastInterval >= kMostIntervals) return false;
  const std::size_t slot = slotOf_[actor];
  play = gpu::CkPlay{.start = static_cast<int>(start_[slot]),
                     .paceLow = static_cast<int>(paceLow_[slot]),
                     .clip = gpu::ck_playedClip(played.clip, static_cast<int>(played.loop)),
                     .paceHigh = static_cast<int>(paceHigh_[slot])};
  return true;
}

void ActorPhases::writeFrames(std::span<gpu::CkFrames> frames, std::size_t begin,
                              std::size_t end) const {
  CK_ASSERT(frames.size() == slotOf_.size());
  const Halves looped = halvesOf(loopTime(seconds_));
  const Halves held = halvesOf(heldTime(seconds_));
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
                     run.intervals.empty() ? nullptr : run.intervals.data(),
                     run.loop != LoopMode::Loop,
                     frames.data()};
    if (run.lastInterval < kMostIntervals) {
      const Halves& time = run.loop == LoopMode::Once ? held : looped;
      kWriters[static_cast<std::size_t>(run.loop)](to, time, &start_[first], &paceLow_[first],
                                                   &paceHigh_[first]);
    } else {
      for (const std::uint32_t actor : std::span(actor_).subspan(first, count)) {
        const FramePair pair = framesAt(unitOf(actor), {run.lastInterval + 2});
        FrameA shown{run.firstFrame + pair.frame0, static_cast<float>(pair.alpha)};
        if (to.intervals != nullptr) findFrames(to, 1, &shown);
        frames[actor].frameA = shown.frame;
        frames[actor].alphaA = shown.alpha;
      }
    }
  }
}

}  // namespace ck
