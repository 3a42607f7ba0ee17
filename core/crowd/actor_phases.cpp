#include "core/crowd/actor_phases.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/anim/clip_place.h"
#include "core/base/assert.h"
#include "core/base/lane_products.h"

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

struct alignas(32) Pace {
  U8 low, high;
};

// Bits 32 to 63 of eight products.
template <bool avx2>
CK_LANES_INLINE U8 upperOf(std::uint32_t x, const U8& y) {
  return productsOf<avx2>(y, U8{} + x).high;
}

// loopPlace() of eight actors. Bits 32 to 63 of a product of two 64-bit numbers come from the lower
// halves' product and from the lower 32 bits of both mixed products.
template <bool avx2>
CK_LANES_INLINE U8 placeOf(const Halves& time, const U8& start, const Pace& pace) {
  return start + upperOf<avx2>(time.low, pace.low) + pace.high * time.low + pace.low * time.high;
}

CK_LANES_INLINE U8 lesser(const U8& a, const U8& b) {
  return a < b ? a : b;
}

// placeOnce() of eight actors. Products of magnitudes are as in placeOf(), and the clip is over if
// one of the parts that are left out there is not 0, or if their sum is more than the clip.
template <bool avx2>
CK_LANES_INLINE U8 placeOnceOf(const Halves& time, const U8& start, const Pace& pace) {
  const bool before = time.high >> 31 != 0;
  const std::uint32_t low = before ? 0u - time.low : time.low;
  const std::uint32_t high = before ? ~time.high + (low == 0u ? 1u : 0u) : time.high;
  const U8 backwards = (U8)((I8)pace.high >> 31);  // all bits or none
  const U8 speedLow = (pace.low ^ backwards) - backwards;
  const U8 carried = (U8)(speedLow == 0u) & backwards;
  const U8 speedHigh = (pace.high ^ backwards) - carried;
  const U8 lower = upperOf<avx2>(low, speedLow);
  const U8 sum = lower + speedLow * high + speedHigh * low;
  const U8 beyond = upperOf<avx2>(high, speedLow) | upperOf<avx2>(low, speedHigh) | (sum >> 31) |
                    (high != 0 ? speedHigh : U8{}) | (U8)(sum < lower);
  const U8 gone = beyond != 0u ? U8{} + kPlacesOneWay : sum;
  const U8 onwards = start + lesser(gone, kPlacesOneWay - start);
  const U8 back = start - lesser(gone, start);
  const U8 returns = before ? ~backwards : backwards;
  return returns != 0u ? back : onwards;
}

// Frame A and its fraction, as they are adjacent in a record.
struct FrameA {
  std::int32_t frame;
  float alpha;
};
static_assert(offsetof(gpu::CkFrames, frameA) == 0 && offsetof(gpu::CkFrames, alphaA) == 4);
static_assert(sizeof(gpu::CkFrames) == 2 * sizeof(FrameA));

// place * intervals has the frame in its upper 32 bits and the fraction in its lower 32 bits, which
// is converted to float in two halves, so that only their sum is rounded. Clips that do not loop
// end at 2^31 places.
struct alignas(32) Fraction {
  U8 frame;
  F8 alpha;  // times 2^32
};
template <bool avx2>
CK_LANES_INLINE Fraction fractionOf(const U8& place, const U8& intervals) {
  const Products product = productsOf<avx2>(place, intervals);
  const I8 upperHalf = (I8)(product.low >> 16);
  const I8 lowerHalf = (I8)(product.low & 0xffffu);
  return {product.high, __builtin_convertvector(upperHalf, F8) * 65536.0f +
                            __builtin_convertvector(lowerHalf, F8)};
}

// The second halves of the records stay as they are.
template <int first, int second>
CK_LANES_INLINE void put(gpu::CkFrames* two, const I8& pairs) {
  const I8 records = load<I8>(two);
  store(two, __builtin_shufflevector(pairs, records, first, first + 1, 10, 11, second, second + 1,
                                     14, 15));
}

// Adds an actor to an ascending list, or removes it.
void list(std::vector<std::uint32_t>& actors, std::size_t actor, bool isListed) {
  const bool isLast = actors.empty() || actors.back() < actor;
  const auto found = isLast ? actors.end() : std::ranges::lower_bound(actors, actor);
  const bool wasListed = found != actors.end() && *found == actor;
  if (isListed && !wasListed) actors.insert(found, static_cast<std::uint32_t>(actor));
  if (!isListed && wasListed) actors.erase(found);
}

}  // namespace

struct ActorPhases::Writing {
  const ActorPhases& phases;
  std::span<gpu::CkFrames> frames;
  Halves looped = {};  // loopTime()
  Halves held = {};    // heldTime()

  // Frames and fractions in turn, of the actors 0, 1, 4, 5 and of 2, 3, 6, 7.
  struct alignas(32) Pairs {
    I8 outer, inner;
  };
  static CK_LANES_INLINE Pairs pairsOf(const Fraction& found, const U8& firstFrames) {
    const I8 shown = (I8)(found.frame + firstFrames);
    const I8 alphas = std::bit_cast<I8>(F8(found.alpha * 0x1p-32f));
    return {__builtin_shufflevector(shown, alphas, 0, 8, 1, 9, 4, 12, 5, 13),
            __builtin_shufflevector(shown, alphas, 2, 10, 3, 11, 6, 14, 7, 15)};
  }

  // The actors [begin, end) as if all looped, in groups of eight from the first one; `to` is the
  // record of `begin`. All is in variables of its own, because the compiler cannot know that
  // writing records does not change it.
  template <bool avx2>
  CK_LANES_INLINE void writeLoops(std::size_t begin, std::size_t end, gpu::CkFrames* to) const {
    const std::uint32_t* starts = phases.columns_.start.data();
    const std::uint32_t* pacesLow = phases.columns_.paceLow.data();
    const std::uint32_t* pacesHigh = phases.columns_.paceHigh.data();
    const std::uint32_t* firstFrames = phases.columns_.firstFrame.data();
    const std::uint32_t* intervals = phases.columns_.intervals.data();
    const Halves time = looped;
    for (std::size_t i = begin; i < end; i += kLanes) {
      const Pace pace{load<U8>(pacesLow + i), load<U8>(pacesHigh + i)};
      const U8 place = placeOf<avx2>(time, load<U8>(starts + i), pace);
      const Pairs pairs =
          pairsOf(fractionOf<avx2>(place, load<U8>(intervals + i)), load<U8>(firstFrames + i));
      put<0, 2>(to, pairs.outer);
      put<0, 2>(to + 2, pairs.inner);
      put<4, 6>(to + 4, pairs.outer);
      put<4, 6>(to + 6, pairs.inner);
      to += kLanes;
    }
  }

  // Entries from `first` on of actors that play once, or there and back, up to the first actor that
  // is not before `end`. Returns its entry.
  template <LoopMode mode, bool avx2>
  CK_LANES_INLINE std::size_t writeAgain(const Again& again, std::size_t first,
                                         std::size_t end) const {
    const std::vector<std::uint32_t>& actors = again.actors;
    const auto from = actors.begin() + static_cast<std::ptrdiff_t>(first);
    const auto last =
        static_cast<std::size_t>(std::lower_bound(from, actors.end(), end) - actors.begin());
    gpu::CkFrames* to = frames.data();
    const Halves time = mode == LoopMode::Once ? held : looped;
    for (std::size_t i = first; i < last; i += kLanes) {
      const U8 start = load<U8>(&again.columns.start[i]);
      const Pace pace{load<U8>(&again.columns.paceLow[i]), load<U8>(&again.columns.paceHigh[i])};
      const U8 intervals = load<U8>(&again.columns.intervals[i]);
      U8 place = mode == LoopMode::Once ? placeOnceOf<avx2>(time, start, pace)
                                        : placeOf<avx2>(time, start, pace);
      if constexpr (mode == LoopMode::PingPong) place = lesser(place, 0u - place);
      const U8 atEnd = (U8)((I8)place >> 31);  // all bits or none
      Fraction found = fractionOf<avx2>(place << 1, intervals);
      found.frame += atEnd & (intervals - 1);
      found.alpha = atEnd != 0u ? all(0x1p32f) : found.alpha;
      const Pairs pairs = pairsOf(found, load<U8>(&again.columns.firstFrame[i]));
      alignas(32) FrameA shown[kLanes];
      store(shown, __builtin_shufflevector(pairs.outer, pairs.inner, 0, 1, 2, 3, 8, 9, 10, 11));
      store(shown + kLanes / 2,
            __builtin_shufflevector(pairs.outer, pairs.inner, 4, 5, 6, 7, 12, 13, 14, 15));
      const std::uint32_t* at = &actors[i];
      if (last - i >= kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          std::memcpy(&to[at[lane]], &shown[lane], sizeof(FrameA));
        }
        continue;
      }
      for (std::size_t lane = 0; lane < last - i; ++lane) {
        std::memcpy(&to[at[lane]], &shown[lane], sizeof(FrameA));
      }
    }
    return last;
  }

  // Replaces a moment by the stored frame, as ck_framesOfInterval() does, and finds moments of
  // clips that are too long for lanes.
  void findFrame(std::size_t actor) const {
    const ClipPlay& play = phases.plays_[actor];
    const Clip& clip = phases.clips_[static_cast<std::size_t>(play.clip)];
    gpu::CkFrames& shown = frames[actor];
    if (clip.lastInterval >= kMostIntervals) {
      const FramePair pair = framesAt(phases.unitOf(actor), {clip.lastInterval + 2});
      shown.frameA = clip.firstFrame + pair.frame0;
      shown.alphaA = static_cast<float>(pair.alpha);
    }
    if (clip.intervals.empty()) return;
    const int moment = shown.frameA - clip.firstFrame;
    // The end of a clip is its last frame, also where that is a step frame.
    const bool atEnd =
        play.loop != LoopMode::Loop && moment == clip.lastInterval && shown.alphaA >= 1.0f;
    const IntervalFrames& own = clip.intervals[static_cast<std::size_t>(moment + (atEnd ? 1 : 0))];
    shown.frameA = clip.firstFrame + own.frame;
    shown.alphaA = (own.offset + shown.alphaA) * own.share;
  }

  // In blocks, so that what is written twice is still in the cache.
  template <bool avx2>
  CK_LANES_INLINE void writeAll() const {
    constexpr std::size_t kBlock = 2048;
    std::size_t once = 0;
    std::size_t thereAndBack = 0;
    std::size_t searched = 0;
    for (std::size_t begin = 0; begin < frames.size(); begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, frames.size());
      const std::size_t whole = end / kLanes * kLanes;
      writeLoops<avx2>(begin, whole, &frames[begin]);
      if (whole < end) {
        gpu::CkFrames last[kLanes] = {};
        std::ranges::copy(frames.subspan(whole), last);
        writeLoops<avx2>(whole, end, last);
        std::copy_n(last, end - whole, &frames[whole]);
      }
      once = writeAgain<LoopMode::Once, avx2>(phases.once_, once, end);
      thereAndBack = writeAgain<LoopMode::PingPong, avx2>(phases.thereAndBack_, thereAndBack, end);
      while (searched < phases.searched_.size() && phases.searched_[searched] < end) {
        findFrame(phases.searched_[searched++]);
      }
    }
  }

  CK_LANES_AVX2 static void writeAvx2(const Writing& writing) { writing.writeAll<true>(); }
  static void writePlain(const Writing& writing) { writing.writeAll<false>(); }
};

ActorPhases::ActorPhases(std::span<const CrowdClip> clips, std::span<const ClipPlay> plays)
    : plays_(plays.begin(), plays.end()) {
  for (const CrowdClip& clip : clips) {
    clips_.push_back({.durationSeconds = clip.durationSeconds,
                      .firstFrame = clip.firstShownFrame(),
                      .lastInterval = clip.lastInterval()});
    if (clip.lastInterval() >= 0) clips_.back().intervals = intervalFrames(frameGridOf(clip));
  }
  resize(columns_, plays_.size());
  for (std::size_t actor = 0; actor < plays_.size(); ++actor) readPlay(actor);
  for (Again* again : {&once_, &thereAndBack_}) copyColumns(*again, 0, again->actors.size());
}

void ActorPhases::set(std::size_t actor, const ClipPlay& play) {
  plays_[actor] = play;
  const std::size_t before[] = {once_.actors.size(), thereAndBack_.actors.size()};
  readPlay(actor);
  // Entries after one that has come or gone have moved.
  const auto update = [&](Again& again, std::size_t count) {
    const auto entry = std::ranges::lower_bound(again.actors, actor) - again.actors.begin();
    const auto first = static_cast<std::size_t>(entry);
    const std::size_t size = again.actors.size();
    copyColumns(again, first, size == count ? std::min(first + 1, size) : size);
  };
  update(once_, before[0]);
  update(thereAndBack_, before[1]);
}

// Fills the actor's columns, and keeps the lists of actors true.
void ActorPhases::readPlay(std::size_t actor) {
  const ClipPlay& play = plays_[actor];
  CK_ASSERT(play.clip >= 0 && static_cast<std::size_t>(play.clip) < clips_.size());
  const Clip& clip = clips_[static_cast<std::size_t>(play.clip)];
  const std::uint64_t pace = clipPace(play.rate, clip.durationSeconds, play.loop);
  const bool isShort = clip.lastInterval >= 0 && clip.lastInterval < kMostIntervals;
  columns_.start[actor] = clipStart(play.offset, play.loop);
  columns_.paceLow[actor] = static_cast<std::uint32_t>(pace);
  columns_.paceHigh[actor] = static_cast<std::uint32_t>(pace >> 32);
  columns_.firstFrame[actor] = static_cast<std::uint32_t>(clip.firstFrame);
  // One frame for ever is a loop of no intervals.
  columns_.intervals[actor] = isShort ? static_cast<std::uint32_t>(clip.lastInterval) + 1 : 0;
  list(once_.actors, actor, isShort && play.loop == LoopMode::Once);
  list(thereAndBack_.actors, actor, isShort && play.loop == LoopMode::PingPong);
  list(searched_, actor, clip.lastInterval >= kMostIntervals || !clip.intervals.empty());
}

void ActorPhases::resize(Columns& columns, std::size_t count) {
  for (auto* column : {&columns.start, &columns.paceLow, &columns.paceHigh, &columns.firstFrame,
                       &columns.intervals}) {
    column->resize(count + kLanes - 1);
  }
}

// Copies the columns of the entries [first, end).
void ActorPhases::copyColumns(Again& again, std::size_t first, std::size_t end) const {
  resize(again.columns, again.actors.size());
  for (std::size_t entry = first; entry < end; ++entry) {
    const std::uint32_t actor = again.actors[entry];
    for (const auto column : {&Columns::start, &Columns::paceLow, &Columns::paceHigh,
                              &Columns::firstFrame, &Columns::intervals}) {
      (again.columns.*column)[entry] = (columns_.*column)[actor];
    }
  }
}

double ActorPhases::unitAt(std::size_t actor, double seconds) const {
  const std::uint64_t pace =
      std::uint64_t{columns_.paceHigh[actor]} << 32 | columns_.paceLow[actor];
  return clipUnit(columns_.start[actor], pace, seconds, plays_[actor].loop);
}

bool ActorPhases::isSteady(std::size_t actor, std::optional<gpu::CkPlay>& play) const {
  const ClipPlay& played = plays_[actor];
  const Clip& clip = clips_[static_cast<std::size_t>(played.clip)];
  if (clip.lastInterval < 0) return true;
  if (clip.lastInterval >= kMostIntervals) return false;
  play = gpu::CkPlay{.start = static_cast<int>(columns_.start[actor]),
                     .paceLow = static_cast<int>(columns_.paceLow[actor]),
                     .clip = gpu::ck_playedClip(played.clip, static_cast<int>(played.loop)),
                     .paceHigh = static_cast<int>(columns_.paceHigh[actor])};
  return true;
}

void ActorPhases::writeFrames(std::span<gpu::CkFrames> frames, LanePath path) const {
  CK_ASSERT(frames.size() == plays_.size());
  const Writing writing{*this, frames, halvesOf(loopTime(seconds_)), halvesOf(heldTime(seconds_))};
  const bool best = path == LanePath::Best && hasAvx2();
  (best ? Writing::writeAvx2 : Writing::writePlain)(writing);
}

}  // namespace ck
