#include "core/error/bake_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/bake/bake_window.h"
#include "core/bake/pose/lane_poser.h"
#include "core/base/parallel_for.h"
#include "core/error/error_moments.h"
#include "core/error/error_tally.h"
#include "core/error/lane_comparison.h"
#include "core/error/stretch_comparison.h"

namespace ck {
namespace {

struct ClipPair {
  std::shared_ptr<const Clip> source;  // with the clip edit that was baked
  ComparedClip compared;
  std::vector<Stretch> stretches;
};

// A range of stretches of one clip, compared by one thread.
struct Task {
  std::size_t clip = 0;
  std::size_t firstStretch = 0;
  std::size_t stretchCount = 0;
  StretchFindings found;
};

// A time of the played clip on the file's timeline.
double sourceSeconds(const AtlasClip& clip, double seconds) {
  double played = seconds - clip.startSeconds;
  if (clip.edit.loopOffset > 0.0) {
    played += clip.edit.loopOffset * clip.durationSeconds;
    if (played > clip.durationSeconds) played -= clip.durationSeconds;
  }
  return clip.startSeconds + played * clip.edit.rate;
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the measurement was stopped");
}

tl::unexpected<Error> notFinite(const Character& character, const AtlasClip& clip,
                                const BrokenMoment& broken) {
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("{}: clip '{}' {}, at {:.4f} s; correct the keys around that time",
                  character.name, clip.name, broken.what, sourceSeconds(clip, broken.seconds)));
}

tl::unexpected<Error> doesNotFit(const Character& character, const std::string& why) {
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: the atlas was not baked from this rig: {}", character.name, why));
}

Result<ClipPair> pairClip(const Character& character, const Atlas& atlas, int atlasClip,
                          bool interpolate, const JobContext& job) {
  const AtlasClip& baked = atlas.clips[static_cast<std::size_t>(atlasClip)];
  const auto window = bakedWindow(character, atlas.recipe, baked);
  if (!window) return tl::unexpected(window.error());
  ClipPair pair;
  pair.source = window->motion;
  pair.compared = {atlasClip, pair.source.get(), window->closingSeconds,
                   std::make_shared<const LanePoser>(character.rig, *pair.source,
                                                     window->closingSeconds, job.threadCount)};
  pair.stretches = stretchesOf(*pair.source, baked, window->closingSeconds, interpolate);
  return pair;
}

Result<void> checkJoints(const Character& character, const Atlas& atlas) {
  const std::vector<std::string> names = skinJointNames(character.rig);
  if (names.size() != atlas.joints.size()) {
    return doesNotFit(character, fmt::format("it has {} joints there and {} here",
                                             atlas.joints.size(), names.size()));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == atlas.joints[i].name) continue;
    return doesNotFit(character, fmt::format("joint {} is '{}' there and '{}' here", i,
                                             atlas.joints[i].name, names[i]));
  }
  return {};
}

Result<void> checkDrawn(const DrawnAs& drawn) {
  const int influences = drawn.influences.value_or(4);
  if (influences != 1 && influences != 2 && influences != 4 && influences != 8) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} influences cannot be drawn; 1, 2, 4 and 8 can", influences));
  }
  const ScreenView& view = drawn.screen;
  const bool makesSense = view.distanceMeters > 0.0 && view.imageHeightPixels > 0.0 &&
                          view.verticalFieldOfViewDegrees > 0.0 &&
                          view.verticalFieldOfViewDegrees < 180.0;
  if (makesSense && std::isfinite(pixelsPerMeter(view))) return {};
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("nothing can be seen from {} m in {} pixels with a field of view of {} "
                  "degrees; use positive numbers and less than 180 degrees",
                  view.distanceMeters, view.imageHeightPixels, view.verticalFieldOfViewDegrees));
}

// Everything that is measured, before it gets names.
class Measurement {
 public:
  Measurement(const ComparisonInputs& inputs, std::vector<ClipPair> clips, const JobContext& job)
      : inputs_(inputs), clips_(std::move(clips)), job_(job) {}

  Result<void> run() {
    makeTasks();
    std::atomic<std::size_t> finished = 0;
    const bool done = parallelFor(tasks_.size(), job_, [&](std::size_t i) {
      Task& task = tasks_[i];
      const ClipPair& pair = clips_[task.clip];
      StretchComparison comparison(inputs_, pair.compared, task.clip, pair.stretches, task.found);
      comparison.compare(task.firstStretch, task.stretchCount, job_);
      report(finished.fetch_add(1) + 1, 0.9f);
    });
    if (!done) return stopped();
    for (const Task& task : tasks_) {
      if (task.found.broken) {
        return notFinite(inputs_.character, inputs_.atlas.clips[task.clip], *task.found.broken);
      }
      gather(task.found);
    }
    restate();
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
      for (std::size_t m = 0; m < kMeasures; ++m) {
        if (!refine(r, m)) return stopped();
      }
    }
    job_.report(1.0f, "Measuring the error");
    return {};
  }

  // Without those of the screen.
  ErrorFigures figures(std::size_t reading) const {
    ErrorFigures figures;
    figures.shell = figure(reading, Measure::Shell, shell_[reading]);
    figures.vertices = figure(reading, Measure::Vertices, vertices_[reading]);
    figures.maxDegrees =
        std::max(0.0, worsts_[reading][static_cast<std::size_t>(Measure::Degrees)].spot.value);
    return figures;
  }

 private:
  void makeTasks() {
    constexpr std::size_t kFewest = 32;
    constexpr std::size_t kTasks = 32;  // each has tallies of 128 KB
    std::size_t total = 0;
    for (const ClipPair& clip : clips_) total += clip.stretches.size();
    const std::size_t size = std::max(kFewest, total / kTasks);
    for (std::size_t clip = 0; clip < clips_.size(); ++clip) {
      const std::size_t count = clips_[clip].stretches.size();
      for (std::size_t first = 0; first < count; first += size) {
        Task& task = tasks_.emplace_back();
        task.clip = clip;
        task.firstStretch = first;
        task.stretchCount = std::min(size, count - first);
      }
    }
  }

  void gather(const StretchFindings& found) {
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
      shell_[r].merge(found.shell[r]);
      vertices_[r].merge(found.vertices[r]);
      for (std::size_t m = 0; m < kMeasures; ++m) {
        improve(worsts_[r][m], found.worsts[r][m]);
        std::vector<ErrorCandidate>& candidates = candidates_[r][m];
        candidates.insert(candidates.end(), found.candidates[r][m].begin(),
                          found.candidates[r][m].end());
      }
    }
  }

  // Lets double say how large the values are that lanes found to be the largest: the largest of
  // many in float is the one with the largest rounding.
  void restate() {
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
      for (std::size_t m = 0; m < kMeasures; ++m) {
        WorstSpot& worst = worsts_[r][m];
        if (worst.spot.index < 0) continue;
        PoseComparison comparison(inputs_, clips_[worst.clip].compared);
        if (!comparison.comparesLanes()) continue;
        const Spots& spots = comparison.at(worst.seconds);
        if (comparison.broken().empty()) worst.spot = spots[r][m];
      }
    }
  }

  // Looks for larger values around the candidates of one measure, a few at a time, until no more is
  // expected of the others. Returns false if the job was stopped.
  bool refine(std::size_t reading, std::size_t measure) {
    constexpr std::size_t kMost = 24;
    constexpr std::size_t kAtOnce = 4;
    std::vector<ErrorCandidate>& candidates = candidates_[reading][measure];
    keepBest(candidates, kMost);
    for (std::size_t first = 0; first < candidates.size(); first += kAtOnce) {
      const double known = worsts_[reading][measure].spot.value;
      if (candidates[first].expected < kWorthShare * known) break;
      std::vector<WorstSpots> found(std::min(kAtOnce, candidates.size() - first));
      const bool done = parallelFor(found.size(), job_, [&](std::size_t i) {
        found[i] = climb(candidates[first + i], reading, measure);
      });
      if (!done) return false;
      for (const WorstSpots& more : found) {
        for (std::size_t r = 0; r < kReadings.size(); ++r) {
          for (std::size_t m = 0; m < kMeasures; ++m) improve(worsts_[r][m], more[r][m]);
        }
      }
    }
    return true;
  }

  // Looks for the largest value at eight moments, then at eight between the neighbours of the best
  // one: to 1 % of the stretch. Returns what double says there (restate()).
  WorstSpots climb(const ErrorCandidate& candidate, std::size_t reading,
                   std::size_t measure) const {
    PoseComparison comparison(inputs_, clips_[candidate.clip].compared);
    WorstSpots worsts;
    WorstSpot best;
    double low = candidate.from;
    double high = candidate.to;
    for (int round = 0; round < 2 && !job_.stopRequested(); ++round) {
      const double step = (high - low) / (kLaneCount + 1);
      std::array<double, kLaneCount> seconds;
      for (std::size_t i = 0; i < kLaneCount; ++i) {
        seconds[i] = low + step * static_cast<double>(i + 1);
      }
      comparison.prepare(seconds);
      best = {};
      for (const double at : seconds) {
        const Spots& spots = comparison.at(at);
        if (comparison.broken().empty()) {
          improve(best, {spots[reading][measure], candidate.clip, at});
        }
      }
      if (best.spot.index < 0) return worsts;
      low = best.seconds - step;
      high = best.seconds + step;
    }
    comparison.prepare(std::span<const double>());
    const Spots& spots = comparison.at(best.seconds);
    if (comparison.broken().empty()) improve(worsts, spots, candidate.clip, best.seconds);
    return worsts;
  }

  ErrorFigure figure(std::size_t reading, Measure measure, const ErrorTally& tally) const {
    const WorstSpot& worst = worsts_[reading][static_cast<std::size_t>(measure)];
    ErrorFigure figure;
    if (worst.spot.index < 0) return figure;
    const AtlasClip& clip = inputs_.atlas.clips[worst.clip];
    figure.max = worst.spot.value;
    figure.p99 = std::min(tally.quantile(0.99), figure.max);
    figure.rms = tally.rms();
    figure.worstClip = clip.name;
    figure.worstTimeSeconds = sourceSeconds(clip, worst.seconds);
    auto joint = static_cast<std::size_t>(worst.spot.index);
    if (measure == Measure::Vertices) {
      const VertexModel& model = inputs_.vertices;
      const VertexModel::Place& place = model.places[joint];
      figure.worstMesh = inputs_.character.meshes[static_cast<std::size_t>(place.mesh)].name;
      figure.worstVertex = place.vertex;
      joint = model.influences[model.influenceStarts[joint]].skinJoint;
    }
    figure.worstJoint = inputs_.atlas.joints[joint].name;
    return figure;
  }

  void report(std::size_t finished, float share) const {
    job_.report(share * static_cast<float>(finished) / static_cast<float>(tasks_.size()),
                "Measuring the error");
  }

  const ComparisonInputs& inputs_;
  std::vector<ClipPair> clips_;
  JobContext job_;
  std::vector<Task> tasks_;
  std::array<ErrorTally, 2> shell_;     // by Reading
  std::array<ErrorTally, 2> vertices_;  // by Reading
  WorstSpots worsts_;
  std::array<std::array<std::vector<ErrorCandidate>, kMeasures>, 2> candidates_;
};

// The character and the atlas must outlive the result.
Result<ComparisonInputs> comparisonInputs(const Character& character, const Atlas& atlas,
                                          const DrawnAs& drawn, const JobContext& job) {
  if (auto ok = checkDrawn(drawn); !ok) return tl::unexpected(ok.error());
  if (auto ok = checkJoints(character, atlas); !ok) return tl::unexpected(ok.error());
  const MorphSet morphs = morphSetOf(character);
  return ComparisonInputs{
      character,
      atlas,
      makeShell(character),
      morphs,
      storedMorphs(morphs, atlas.morphs.names),
      vertexModelOf(character, morphs, drawn.influences.value_or(atlas.recipe.influences), job),
      drawn.interpolate.value_or(atlas.recipe.interpolate),
      drawn.hardwareLinear,
      drawn.morphs};
}

// The moments of some stretches of a clip, and what goes wrong at one.
struct CurvePart {
  ErrorCurve curve;
  std::optional<BrokenMoment> broken;
};

ErrorMoment momentOf(const ComparisonInputs& inputs, const AtlasClip& clip, double seconds,
                     const Spot& spot) {
  ErrorMoment moment;
  if (clip.durationSeconds > 0.0) {
    moment.unit = std::clamp((seconds - clip.startSeconds) / clip.durationSeconds, 0.0, 1.0);
  }
  moment.seconds = sourceSeconds(clip, seconds);
  moment.mm = std::max(spot.value, 0.0);
  if (spot.index < 0) return moment;
  const VertexModel& model = inputs.vertices;
  const auto vertex = static_cast<std::size_t>(spot.index);
  moment.joint = static_cast<int>(model.influences[model.influenceStarts[vertex]].skinJoint);
  moment.mesh = model.places[vertex].mesh;
  moment.vertex = model.places[vertex].vertex;
  return moment;
}

// Compares up to kLaneCount stretches at all of their moments. False where that cannot be done side
// by side.
bool compareSideBySide(PoseComparison& comparison, std::span<const Stretch> stretches,
                       std::span<std::array<Spots, kLaneCount>, kShares.size()> spots) {
  if (!comparison.comparesLanes()) return false;
  comparison.prepare(stretches);
  for (std::size_t i = 0; i < kShares.size(); ++i) {
    if (!comparison.compareBatch(i, 0)) return false;
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      spots[i][lane] = comparison.lanes().spots(lane);
    }
  }
  return true;
}

CurvePart curveOf(const ComparisonInputs& inputs, const ClipPair& pair,
                  std::span<const Stretch> stretches, const JobContext& job) {
  const AtlasClip& clip = inputs.atlas.clips[static_cast<std::size_t>(pair.compared.atlasClip)];
  PoseComparison comparison(inputs, pair.compared);
  CurvePart part;
  double last = std::numeric_limits<double>::quiet_NaN();
  std::array<std::array<Spots, kLaneCount>, kShares.size()> sideBySide;
  for (std::size_t first = 0; first < stretches.size(); first += kLaneCount) {
    if (job.stopRequested()) return part;
    const auto some = stretches.subspan(first, std::min(kLaneCount, stretches.size() - first));
    // A number that is not finite is found, and named, moment by moment.
    const bool isMeasured = compareSideBySide(comparison, some, sideBySide);
    for (std::size_t s = 0; s < some.size(); ++s) {
      for (std::size_t i = 0; i < kShares.size(); ++i) {
        const double seconds = momentOf(some[s], i);
        if (std::exchange(last, seconds) == seconds) continue;
        const Spots& spots = isMeasured ? sideBySide[i][s] : comparison.at(seconds);
        if (!isMeasured && !comparison.broken().empty()) {
          part.broken = BrokenMoment{seconds, comparison.broken()};
          return part;
        }
        constexpr auto kVertices = static_cast<std::size_t>(Measure::Vertices);
        part.curve.palette.push_back(momentOf(inputs, clip, seconds, spots[0][kVertices]));
        part.curve.direct.push_back(momentOf(inputs, clip, seconds, spots[1][kVertices]));
      }
    }
  }
  return part;
}

}  // namespace

Result<ErrorCurve> errorOverTime(const Character& character, const Atlas& atlas, int atlasClip,
                                 const DrawnAs& drawn, JobContext job) {
  if (atlasClip < 0 || static_cast<std::size_t>(atlasClip) >= atlas.clips.size()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: the atlas has {} clips and no clip {}", character.name,
                            atlas.clips.size(), atlasClip));
  }
  const auto inputs = comparisonInputs(character, atlas, drawn, job);
  if (!inputs) return tl::unexpected(inputs.error());
  const auto pair = pairClip(character, atlas, atlasClip, inputs->interpolate, job);
  if (!pair) return tl::unexpected(pair.error());
  constexpr std::size_t kAtOnce = 16;  // stretches
  const std::span<const Stretch> all = pair->stretches;
  std::vector<CurvePart> parts((all.size() + kAtOnce - 1) / kAtOnce);
  const bool done = parallelFor(parts.size(), job, [&](std::size_t i) {
    const std::size_t first = i * kAtOnce;
    parts[i] =
        curveOf(*inputs, *pair, all.subspan(first, std::min(kAtOnce, all.size() - first)), job);
  });
  if (!done || job.stopRequested()) return stopped();
  ErrorCurve curve;
  const auto append = [](std::vector<ErrorMoment>& to, std::vector<ErrorMoment>& from) {
    // A part begins with the last moment of the one before.
    const bool repeats = !to.empty() && !from.empty() && to.back().unit == from.front().unit;
    to.insert(to.end(), from.begin() + (repeats ? 1 : 0), from.end());
  };
  for (CurvePart& part : parts) {
    if (part.broken) {
      return notFinite(character, atlas.clips[static_cast<std::size_t>(atlasClip)], *part.broken);
    }
    append(curve.palette, part.curve.palette);
    append(curve.direct, part.curve.direct);
  }
  return curve;
}

Result<BakeError> measureBakeError(const Character& character, const Atlas& atlas,
                                   const DrawnAs& drawn, JobContext job) {
  const auto inputs = comparisonInputs(character, atlas, drawn, job);
  if (!inputs) return tl::unexpected(inputs.error());
  std::vector<ClipPair> clips;
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    auto pair = pairClip(character, atlas, static_cast<int>(clip), inputs->interpolate, job);
    if (!pair) return tl::unexpected(pair.error());
    clips.push_back(std::move(*pair));
  }
  Measurement measurement(*inputs, std::move(clips), job);
  if (auto ok = measurement.run(); !ok) return tl::unexpected(ok.error());
  return seenFrom({measurement.figures(0), measurement.figures(1)}, drawn.screen);
}

Result<BakeError> measureBakeError(const Character& character, const Atlas& atlas, JobContext job) {
  return measureBakeError(character, atlas, DrawnAs{}, std::move(job));
}

}  // namespace ck
