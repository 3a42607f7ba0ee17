#include "core/bake/bake_window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/anim/edited_clip.h"
#include "core/anim/loop_gap.h"
#include "core/bake/bake.h"
#include "core/bake/key_steps.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/seam.h"
#include "core/bake/step_frames.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

constexpr double kMostFrames = 100'000'000.0;

int toFrameCount(double intervals) {
  return static_cast<int>(std::clamp(std::round(intervals), 1.0, kMostFrames)) + 1;
}

Result<int> findClip(const Character& character, const std::string& name) {
  if (const auto found = clipNamed(character, name)) return static_cast<int>(*found);
  std::vector<std::string> names;
  for (const Clip& clip : character.clips) names.push_back(clip.name);
  return fail(ErrorCode::InvalidInput, fmt::format("{}: there is no clip '{}'; the clips are {}",
                                                   character.name, name, fmt::join(names, ", ")));
}

Result<std::vector<BakeClip>> clipsToBake(const Character& character,
                                          const BakeSettings& settings) {
  if (character.clips.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there are no clips to bake; add files that have clips of this rig",
                            character.name));
  }
  if (!settings.clips.empty()) return settings.clips;
  std::vector<BakeClip> clips;
  for (const Clip& clip : character.clips) {
    clips.push_back({.name = clip.name, .loop = std::nullopt, .seam = SeamChoice::Auto});
  }
  return clips;
}

Seam chosenSeam(SeamChoice choice, const SeamVerdict& verdict) {
  switch (choice) {
    case SeamChoice::Auto:
      return verdict.seam;
    case SeamChoice::Inclusive:
      return Seam::Inclusive;
    case SeamChoice::Exclusive:
      return Seam::Exclusive;
    case SeamChoice::None:
      return Seam::None;
  }
  return Seam::None;
}

Result<void> checkNumbers(const BakeSettings& settings) {
  if (!std::isfinite(settings.rateHz) || settings.rateHz < 0.0 || settings.frames < 0) {
    return fail(ErrorCode::InvalidInput, fmt::format("a rate of {} Hz or {} frames cannot be baked",
                                                     settings.rateHz, settings.frames));
  }
  if (settings.influences != 1 && settings.influences != 2 && settings.influences != 4) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} influences cannot be baked; 1, 2 and 4 can", settings.influences));
  }
  return checkMorphForm(settings.morphs);
}

// Checks that every clip exists and is baked once, under a unique name.
Result<void> checkNames(const Character& character, const std::vector<BakeClip>& wishes) {
  std::unordered_set<int> seen;
  std::unordered_map<std::string, std::string> titles;
  for (const BakeClip& wish : wishes) {
    const auto index = findClip(character, wish.name);
    if (!index) return tl::unexpected(index.error());
    if (!seen.insert(*index).second) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("clip '{}' is named twice; every clip is baked once", wish.name));
    }
    const std::string& title = wish.title.empty() ? wish.name : wish.title;
    const auto [other, isNew] = titles.emplace(title, wish.name);
    if (!isNew) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("clips '{}' and '{}' would both be called '{}' in the atlas; give "
                              "one of them another name",
                              other->second, wish.name, title));
    }
  }
  return {};
}

// A clip as it is baked, and the way that is taken out of it.
struct Shaped {
  std::shared_ptr<const Clip> clip;
  RootWay way;
};

// The clip of a character with an edit and a name. A clip that stays as it is is not copied.
Result<Shaped> shapedClip(const Character& character, const Clip& clip, const ClipEdit& edit,
                          std::optional<double> seamMm, const std::string& name) {
  if (edit == ClipEdit{} && (name.empty() || name == clip.name)) {
    return Shaped{std::shared_ptr<const Clip>(std::shared_ptr<const Clip>(), &clip), {}};
  }
  auto edited = editedClipWithWay(character, clip, edit, seamMm);
  if (!edited) return tl::unexpected(edited.error());
  if (!name.empty()) edited->clip.name = name;
  return Shaped{std::make_shared<const Clip>(std::move(edited->clip)), std::move(edited->way)};
}

struct PlannedFrames {
  int count = 2;
  KeySteps steps = {};
};

PlannedFrames plannedFrames(const Rig& rig, const Clip& clip, Seam seam,
                            const BakeSettings& settings) {
  const double closing = seam == Seam::Exclusive ? closingStepSeconds(clip) : 0.0;
  const double window = clip.durationSeconds + closing;
  if (window <= 0.0) return {};
  if (settings.frames > 0) return {std::max(settings.frames, 2)};
  if (settings.rateHz > 0.0) return {toFrameCount(window * settings.rateHz)};
  if (const auto grid = keyGrid(clip)) {
    const int steps = grid->keyCount - 1 + (seam == Seam::Exclusive ? 1 : 0);
    const KeySteps each = keyStepsOf(rig, clip, grid->stepSeconds);
    return {toFrameCount(static_cast<double>(steps) * each.frames), each};
  }
  // A uniform grid misses irregular keys. The error falls linearly with the step
  // (docs/techniques.md 1.5).
  constexpr double kFinest = 1.0 / 120.0;
  constexpr double kCoarsest = 1.0 / 30.0;
  const double step = std::clamp(0.5 * medianStepSeconds(keyTimes(clip)), kFinest, kCoarsest);
  const KeySteps each = keyStepsOf(rig, clip, step);
  return {toFrameCount(std::ceil(window / step) * each.frames), each};
}

Notes keyStepNotes(const std::vector<BakeWindow>& windows) {
  std::vector<std::string> fast;
  for (const BakeWindow& window : windows) {
    const KeySteps& steps = window.keySteps;
    if (steps.frames < 2 * steps.framesOfMost) continue;
    fast.push_back(
        fmt::format("'{}' ({:.4g} frames a second in place of {:.4g}, because of the "
                    "step at {:.3f} s)",
                    window.motion->name, steps.frames / steps.stepSeconds,
                    steps.framesOfMost / steps.stepSeconds, steps.fastestSeconds));
  }
  if (fast.empty()) return {};
  return {
      {Note::Level::Info, "FastKeySteps",
       fmt::format("a few key steps turn joints so far that the whole clip has more frames than "
                   "its other steps need: {}; trim such a step away, bake at the smaller rate, "
                   "or have frames left out that interpolation gives back (reduce)",
                   fmt::join(fast, ", "))}};
}

}  // namespace

int frameCountFor(const Rig& rig, const Clip& clip, Seam seam, const BakeSettings& settings) {
  return plannedFrames(rig, clip, seam, settings).count;
}

namespace {

Result<BakeWindow> planMeasured(const SeamMeasure& measure, const BakeClip& wish,
                                const BakeSettings& settings, const JobContext& job) {
  const Character& character = measure.character;
  const auto index = findClip(character, wish.name);
  if (!index) return tl::unexpected(index.error());
  const Clip& source = character.clips[static_cast<std::size_t>(*index)];
  auto shaped = shapedClip(character, source, wish.edit, settings.seamMm, wish.title);
  if (!shaped) {
    return fail(shaped.error().code, fmt::format("{}: {}", character.name, shaped.error().message));
  }
  const std::shared_ptr<const Clip> clip = shaped->clip;
  // The seam is a property of the file, so it is measured without the playback rate.
  ClipEdit unhurried = wish.edit;
  unhurried.rate = 1.0;
  std::shared_ptr<const LanePoser> poser;
  SeamVerdict verdict;
  std::vector<double> keys = keyTimes(*clip);
  if (wish.edit.rate == 1.0) {
    if (posesAllKeys(keys.size())) {
      poser = std::make_shared<const LanePoser>(character.rig, *clip, 0.0);
    }
    verdict = measureSeam(measure, *clip, keys, poser.get(), job);
  } else {
    const auto played = editedClip(character, source, unhurried, settings.seamMm);
    verdict = measureSeam(measure, *played, keyTimes(*played), nullptr, job);
  }
  if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the bake was stopped");
  BakeWindow window;
  window.clip = *index;
  window.motion = clip;
  window.keySeconds = std::move(keys);
  window.way = std::move(shaped->way);
  window.measured = verdict.seam;
  window.seam = chosenSeam(wish.seam, verdict);
  // A loop that starts elsewhere has its closing step inside.
  if (wish.edit.loopOffset > 0.0 && window.seam == Seam::Exclusive) window.seam = Seam::Inclusive;
  window.loop = wish.loop.value_or(window.seam == Seam::None ? LoopMode::Once : LoopMode::Loop);
  // Only a loop returns to its start, so other modes have no closing step.
  if (window.loop != LoopMode::Loop && window.seam == Seam::Exclusive) window.seam = Seam::None;
  window.seamMm = verdict.seamMm;
  window.startSeconds = clip->startSeconds;
  if (window.seam == Seam::Exclusive) window.closingSeconds = closingStepSeconds(*clip);
  if (window.closingSeconds <= 0.0) window.poser = std::move(poser);
  window.durationSeconds = clip->durationSeconds + window.closingSeconds;
  const PlannedFrames planned = plannedFrames(character.rig, *clip, window.seam, settings);
  window.keySteps = planned.steps;
  setMoments(character, planned.count, window);
  return window;
}

}  // namespace

Result<BakeWindow> planWindow(const Character& character, const BakeClip& wish,
                              const BakeSettings& settings, const JobContext& job) {
  return planMeasured(SeamMeasure(character, settings.seamMm), wish, settings, job);
}

Result<BakeWindow> bakedWindow(const Character& character, const BakeRecipe& recipe,
                               const AtlasClip& baked) {
  constexpr double kSameSeconds = 1e-6;
  const auto doesNotFit = [&](const std::string& why) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: the atlas was not baked from this rig: {}", character.name, why));
  };
  const auto found = clipNamed(character, sourceNameOf(baked));
  if (!found) {
    return doesNotFit(fmt::format("the rig has no clip '{}'", sourceNameOf(baked)));
  }
  auto shaped = shapedClip(character, character.clips[*found], baked.edit, recipe.seamMm, {});
  if (!shaped) return doesNotFit(shaped.error().message);
  BakeWindow window;
  window.clip = static_cast<int>(*found);
  window.motion = shaped->clip;
  window.keySeconds = keyTimes(*window.motion);
  window.way = std::move(shaped->way);
  window.loop = baked.loop;
  window.seam = baked.seam;
  window.startSeconds = baked.startSeconds;
  if (baked.seam == Seam::Exclusive) window.closingSeconds = closingStepSeconds(*window.motion);
  window.durationSeconds = window.motion->durationSeconds + window.closingSeconds;
  window.frameCount = baked.frameCount;
  window.stepFrames = baked.stepFrames;
  window.keptMoments = baked.keptMoments;
  if (std::abs(baked.startSeconds - window.motion->startSeconds) > kSameSeconds) {
    return doesNotFit(fmt::format("clip '{}' starts at {:.4f} s there and at {:.4f} s here",
                                  baked.name, baked.startSeconds, window.motion->startSeconds));
  }
  if (std::abs(baked.durationSeconds - window.durationSeconds) > kSameSeconds) {
    return doesNotFit(fmt::format("clip '{}' is {:.4f} s long there and {:.4f} s here", baked.name,
                                  baked.durationSeconds, window.durationSeconds));
  }
  return window;
}

Result<std::vector<BakeWindow>> planWindows(const Character& character,
                                            const BakeSettings& settings, JobContext job) {
  if (auto ok = checkNumbers(settings); !ok) return tl::unexpected(ok.error());
  const auto wishes = clipsToBake(character, settings);
  if (!wishes) return tl::unexpected(wishes.error());
  if (auto ok = checkNames(character, *wishes); !ok) return tl::unexpected(ok.error());
  const SeamMeasure measure(character, settings.seamMm);
  std::vector<Result<BakeWindow>> planned(wishes->size(), BakeWindow{});
  const bool done = parallelFor(planned.size(), job, [&](std::size_t i) {
    planned[i] = planMeasured(measure, (*wishes)[i], settings, job);
  });
  if (!done) return fail(ErrorCode::Cancelled, "the bake was stopped");
  std::vector<BakeWindow> windows;
  for (Result<BakeWindow>& window : planned) {
    if (!window) return tl::unexpected(window.error());
    windows.push_back(std::move(*window));
  }
  return windows;
}

std::vector<double> frameTimes(const BakeWindow& window) {
  constexpr double kRoundingSeconds = 5e-5;
  constexpr double kLargestShare = 0.05;  // of a step, on timelines of hours
  constexpr double kAfterKeySeconds = 1e-9;
  const std::vector<double>& keys = window.keySeconds;
  const int count = momentCount(frameGridOf(window));
  const double step = window.durationSeconds / (count - 1);
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(count));
  auto after = keys.begin();  // the first key after the moment
  for (int moment = 0; moment < count; ++moment) {
    const double even = window.startSeconds + moment * step;
    const double tolerance = std::max(std::min(1e-3 * step, kRoundingSeconds),
                                      std::min(kLargestShare * step, keyRoundingSeconds(even)));
    while (after != keys.end() && *after <= even + tolerance) ++after;
    const bool onKey = after != keys.begin() && *(after - 1) >= even - tolerance;
    // After the last key only the closing step follows; a rounding error must not enter it.
    const bool last = after == keys.end();
    times.push_back(!onKey ? even : *(after - 1) + (last ? 0.0 : kAfterKeySeconds));
  }
  return times;
}

std::vector<RootPlace> placesOf(const BakeWindow& window) {
  std::vector<RootPlace> places;
  if (window.way.empty()) return places;
  const int count = momentCount(frameGridOf(window));
  for (int moment = 0; moment < count; ++moment) {
    const double share = static_cast<double>(moment) / (count - 1);
    const double seconds = window.startSeconds + share * window.durationSeconds;
    places.push_back(placeOf(placeAt(window.way, seconds)));
  }
  return places;
}

Notes keyGridNotes(const std::vector<BakeWindow>& windows) {
  Notes notes = keyStepNotes(windows);
  std::vector<std::string> missed;
  for (const BakeWindow& window : windows) {
    const Clip& clip = *window.motion;
    const std::vector<double>& keys = window.keySeconds;
    if (keys.size() < 2 || window.durationSeconds <= 0.0) continue;
    const double step = window.durationSeconds / (momentCount(frameGridOf(window)) - 1);
    const bool all = std::all_of(keys.begin(), keys.end(), [&](double key) {
      const double x = (key - window.startSeconds) / step;
      return std::abs(x - std::round(x)) < std::max(2e-3, 2.0 * keyRoundingSeconds(key) / step);
    });
    if (!all) missed.push_back(fmt::format("'{}'", clip.name));
  }
  if (missed.empty()) return notes;
  notes.push_back(
      {Note::Level::Info, "OffKeyGrid",
       fmt::format("the frames of {} do not meet all of their keys, which costs accuracy near "
                   "those; a rate that divides evenly into the keys would meet them",
                   fmt::join(missed, ", "))});
  return notes;
}

}  // namespace ck
