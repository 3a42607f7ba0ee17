#include "core/fit/fit_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "core/anim/loop_gap.h"
#include "core/atlas/atlas_layout.h"
#include "core/atlas/local_poses.h"
#include "core/bake/bake.h"
#include "core/bake/joint_poses.h"
#include "core/bake/local_bake.h"
#include "core/bake/step_frames.h"

namespace ck {
namespace {

constexpr std::array kComponents = {Components::Trs, Components::Tr, Components::R};
constexpr std::array kRanges = {RangeMode::Joint, RangeMode::JointClip, RangeMode::Atlas};
constexpr std::array kLayouts = {LayoutKind::Rows, LayoutKind::Linear, LayoutKind::Tiles};
constexpr std::array kInfluences = {4, 2, 1};

template <class Value, std::size_t count>
std::vector<Value> orAll(const std::vector<Value>& chosen, const std::array<Value, count>& all) {
  return chosen.empty() ? std::vector<Value>(all.begin(), all.end()) : chosen;
}

std::vector<Encoding> encodingsOf(const FitChoices& choices) {
  if (!choices.encodings.empty()) return choices.encodings;
  std::vector<Encoding> all;
  for (const EncodingInfo& each : allEncodings()) all.push_back(each.encoding);
  return all;
}

// The own grid comes first: where a rate makes the same frames, the setting is left alone.
std::vector<FitRate> ratesOf(const FitChoices& choices, std::span<const BakeWindow> windows) {
  if (!choices.rates.empty()) return choices.rates;
  std::vector<FitRate> rates = {FitRate{}};
  for (const double hz : kFitRates) rates.push_back({.rateHz = hz});
  for (const BakeWindow& window : windows) {
    const auto grid = keyGrid(*window.motion);
    if (!grid || !(grid->stepSeconds > 0.0)) continue;
    for (const int divisor : {1, 2, 3, 4}) {
      rates.push_back({.rateHz = 1.0 / (grid->stepSeconds * divisor)});
    }
    break;
  }
  return rates;
}

BakeSettings withRate(BakeSettings settings, const FitRate& rate) {
  settings.rateHz = rate.rateHz;
  settings.frames = rate.frames;
  return settings;
}

bool sameFrames(const FitWindows& a, const FitWindows& b) {
  return std::ranges::equal(a.windows, b.windows, [](const BakeWindow& x, const BakeWindow& y) {
    return x.frameCount == y.frameCount;
  });
}

// The seam of a clip does not depend on the rate, so the clips are planned once.
std::vector<FitWindows> windowsOf(const Character& character, const FitWish& wish,
                                  const std::vector<BakeWindow>& planned, const JobContext& job) {
  std::vector<FitWindows> all;
  for (const FitRate& rate : ratesOf(wish.choices, planned)) {
    if (job.stopRequested()) return {};
    FitWindows own{rate, planned};
    const BakeSettings settings = withRate(wish.settings, rate);
    for (BakeWindow& window : own.windows) {
      setMoments(character, frameCountFor(character.rig, *window.motion, window.seam, settings),
                 window);
    }
    const bool isKnown = std::ranges::any_of(
        all, [&own](const FitWindows& other) { return sameFrames(own, other); });
    if (!isKnown) all.push_back(std::move(own));
  }
  return all;
}

tl::unexpected<Error> tooLong(int frames, int tile) {
  return fail(ErrorCode::LimitExceeded,
              fmt::format("a clip has {} frames and a tile {} rows; larger tiles or a lower rate "
                          "would do",
                          frames, tile));
}

// The layout with the fewest bytes, of those the usual one.
Result<AtlasLayout> smallestLayout(const Character& character, const FitChoices& choices,
                                   std::span<const BakeWindow> windows, int trackTexels,
                                   BakeSettings& settings) {
  std::vector<int> frameCounts;
  for (const BakeWindow& window : windows) frameCounts.push_back(window.frameCount);
  const TexelCode code = codeOf(settings);
  std::vector<LayoutKind> kinds = orAll(choices.layouts, kLayouts);
  std::ranges::stable_sort(kinds, {}, [usual = usualLayout(encodingOf(settings))](LayoutKind kind) {
    return kind == usual ? 0 : 1;
  });
  Result<AtlasLayout> best = fail(ErrorCode::LimitExceeded, "no layout holds these clips");
  for (const LayoutKind kind : kinds) {
    // A bake would resample clips that are longer than their tile: that is another rate.
    const int longest = std::ranges::max(frameCounts);
    if (kind == LayoutKind::Tiles && longest > std::max(settings.tile, 2)) {
      if (!best) best = tooLong(longest, settings.tile);
      continue;
    }
    auto layout = layOutAtlas({.kind = kind,
                               .code = code,
                               .jointCount = static_cast<int>(character.rig.skinJoints.size()),
                               .trackTexels = trackTexels,
                               .frameCounts = frameCounts,
                               .maxTextureSize = settings.maxTextureSize,
                               .tile = settings.tile,
                               .powerOfTwo = settings.powerOfTwo,
                               .width = settings.textureWidth,
                               .height = settings.textureHeight});
    if (!layout && best) continue;
    if (layout && best && layout->bytes >= best->bytes) continue;
    best = std::move(layout);
    settings.layout = kind;
  }
  return best;
}

// The settings that decide the texels of a frame.
std::vector<BakeSettings> codesOf(const FitWish& wish) {
  std::vector<BakeSettings> all;
  for (const Encoding encoding : encodingsOf(wish.choices)) {
    BakeSettings settings = wish.settings;
    settings.encoding = encoding;
    settings.reduceMm = 0.0;
    const bool local = isLocal(encodingInfo(encoding));
    // Nothing reads these joint by joint.
    if (local && wish.settings.reading == Reading::Direct) continue;
    for (const Components components : orAll(wish.choices.components, kComponents)) {
      const bool canLeaveOut = storesComponents(encodingInfo(encoding));
      if (!isPossible({encoding, components})) continue;
      settings.components = canLeaveOut ? std::optional(components) : std::nullopt;
      if (rangesPerJoint({encoding, components}) == 0) {
        settings.rangeMode.reset();
        all.push_back(settings);
        continue;
      }
      for (const RangeMode mode : orAll(wish.choices.ranges, kRanges)) {
        if (local && mode == RangeMode::Atlas) continue;
        settings.rangeMode = mode;
        all.push_back(settings);
      }
    }
  }
  return all;
}

// The poses of a rate as parents see them, for encodings that store these.
class SeenAtRate {
 public:
  SeenAtRate(const Character& character, std::span<const BakeWindow> windows, const JobContext& job)
      : character_(character), windows_(windows), job_(job) {
    job_.report = [](float, std::string_view) {};
  }

  // The texels of all tracks in a frame; 0 for other encodings. Fails as localRanges() does.
  Result<int> trackTexels(const BakeSettings& settings) {
    const EncodingInfo& info = encodingInfo(settings);
    if (!isLocal(info)) return 0;
    const std::vector<AtlasJoint> joints = atlasJointsOf(character_.rig);
    std::vector<int> counts;
    std::vector<std::string> names;
    for (const BakeWindow& window : windows_) {
      counts.push_back(window.frameCount);
      names.push_back(window.motion->name);
    }
    if (!seen_) {
      auto evaluated =
          evaluatePoses(character_, windows_, {PoseForm::Pivot, settings.influences}, job_);
      if (!evaluated) return tl::unexpected(evaluated.error());
      seen_ = std::move(evaluated->poses);
      seeFromParents(joints, counts, *seen_);
    }
    const auto ranges = localRanges(character_, {encodingOf(settings)}, rangeModeFor(settings),
                                    *seen_, counts, names, joints);
    if (!ranges) return tl::unexpected(ranges.error());
    return trackCount(tracksOf(*ranges, joints.size())) * info.trackTexels;
  }

 private:
  const Character& character_;
  std::span<const BakeWindow> windows_;
  JobContext job_;
  std::optional<JointPoses> seen_;
};

}  // namespace

TexelCode codeOf(const FitCandidate& candidate) {
  return codeOf(candidate.settings);
}

Result<FitPlan> planFit(const Character& character, const FitWish& wish, const JobContext& job) {
  if (auto ok = checkSkin(character); !ok) return tl::unexpected(ok.error());
  const auto planned = planWindows(character, withRate(wish.settings, {}), job);
  if (!planned) return tl::unexpected(planned.error());
  FitPlan plan;
  plan.rates = windowsOf(character, wish, *planned, job);
  if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the search was stopped");
  std::optional<Error> refusal;
  for (std::size_t rate = 0; rate < plan.rates.size(); ++rate) {
    const std::vector<BakeWindow>& windows = plan.rates[rate].windows;
    int frames = 0;
    for (const BakeWindow& window : windows) frames += window.frameCount;
    SeenAtRate seen(character, windows, job);
    for (const BakeSettings& code : codesOf(wish)) {
      FitCandidate candidate{.settings = withRate(code, plan.rates[rate].rate), .rate = rate};
      const auto trackTexels = seen.trackTexels(candidate.settings);
      if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the search was stopped");
      if (!trackTexels) {
        if (!refusal) refusal = trackTexels.error();
        continue;
      }
      const auto layout =
          smallestLayout(character, wish.choices, windows, *trackTexels, candidate.settings);
      if (!layout) {
        if (!refusal) refusal = layout.error();
        continue;
      }
      candidate.bytes = layout->bytes;
      candidate.width = layout->shape.extent.x;
      candidate.height = layout->shape.extent.y;
      candidate.frames = frames;
      for (const int influences : orAll(wish.choices.influences, kInfluences)) {
        candidate.settings.influences = influences;
        candidate.fetches = fetchesOf(codeOf(candidate), influences, wish.settings.interpolate);
        plan.candidates.push_back(candidate);
      }
    }
  }
  if (plan.candidates.empty()) {
    return tl::unexpected(refusal.value_or(Error{
        ErrorCode::InvalidInput, "no encoding that is allowed can leave these components out"}));
  }
  return plan;
}

}  // namespace ck
