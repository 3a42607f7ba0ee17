#include "core/anim/edited_clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/anim/loop_offset.h"
#include "core/anim/root_extraction.h"
#include "core/anim/track_cuts.h"

namespace ck {
namespace {

// The user types trims as decimals: a trim that exceeds the clip by this much is a rounding error.
constexpr double kRoundingSeconds = 1e-6;
constexpr double kShortestTrimSeconds = 1e-4;

Result<Trim> checkedTrim(const Clip& clip, const Trim& trim) {
  const double start = clip.startSeconds;
  const double end = clip.startSeconds + clip.durationSeconds;
  // Written so that NaN counts as out of range.
  const bool inside =
      trim.startSeconds >= start - kRoundingSeconds && trim.endSeconds <= end + kRoundingSeconds;
  if (!inside || !(trim.endSeconds - trim.startSeconds >= kShortestTrimSeconds)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("clip '{}' cannot be cut to {:.4f} .. {:.4f} s: it covers {:.4f} .. "
                            "{:.4f} s; cut it within that, or take the cut away",
                            clip.name, trim.startSeconds, trim.endSeconds, start, end));
  }
  return Trim{std::max(trim.startSeconds, start), std::min(trim.endSeconds, end)};
}

Result<void> checkNumbers(const Clip& clip, const ClipEdit& edit) {
  if (!(edit.rate >= kSlowestClipRate && edit.rate <= kFastestClipRate)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("clip '{}' cannot play {} times as fast; {} to {} times can be baked",
                            clip.name, edit.rate, kSlowestClipRate, kFastestClipRate));
  }
  if (!(edit.smallestKeyGapSeconds >= 0.0) || !std::isfinite(edit.smallestKeyGapSeconds)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("clip '{}' cannot leave out keys that follow by less than {} s; 0 s "
                            "leaves out none",
                            clip.name, edit.smallestKeyGapSeconds));
  }
  return {};
}

// Leaves out keys that follow the one kept before by less than `gap`.
template <class Value>
void thinTrack(Track<Value>& track, double gap) {
  if (track.empty()) return;
  const std::size_t each = track.interpolation == Interpolation::Cubic ? 3 : 1;
  std::size_t kept = 1;
  for (std::size_t key = 1; key < track.times.size(); ++key) {
    if (track.times[key] - track.times[kept - 1] < gap) continue;
    track.times[kept] = track.times[key];
    for (std::size_t i = 0; i < each; ++i) {
      track.values[kept * each + i] = track.values[key * each + i];
    }
    ++kept;
  }
  track.times.resize(kept);
  track.values.resize(kept * each);
}

}  // namespace

Result<EditedClip> editedClipWithWay(const Character& character, const Clip& clip,
                                     const ClipEdit& edit, std::optional<double> seamMm) {
  const Rig& rig = character.rig;
  if (auto ok = checkNumbers(clip, edit); !ok) return tl::unexpected(ok.error());
  EditedClip edited{clip, {}};
  Clip& shaped = edited.clip;
  if (edit.dropScale) {
    for (JointTracks& tracks : shaped.jointTracks) tracks.scale = {};
  }
  if (edit.smallestKeyGapSeconds > 0.0) {
    forTracks(shaped, [&edit](auto& track) { thinTrack(track, edit.smallestKeyGapSeconds); });
  }
  if (edit.trim) {
    const auto trim = checkedTrim(clip, *edit.trim);
    if (!trim) return tl::unexpected(trim.error());
    shaped.startSeconds = trim->startSeconds;
    shaped.durationSeconds = trim->endSeconds - trim->startSeconds;
    forTracks(shaped, [&trim](auto& track) { cutTrack(track, *trim); });
  }
  if (edit.root.motion == RootMotion::Strip) {
    if (auto ok = stripRoot(rig, edit.root, shaped); !ok) return tl::unexpected(ok.error());
  } else if (edit.root.motion == RootMotion::Extract) {
    auto way = extractRoot(rig, edit.root, shaped);
    if (!way) return tl::unexpected(way.error());
    edited.way = std::move(*way);
  }
  if (auto ok = startLater(character, edit.loopOffset, seamMm, shaped, edited.way); !ok) {
    return tl::unexpected(ok.error());
  }
  if (edit.rate != 1.0) {
    const double start = shaped.startSeconds;
    forTracks(shaped, [&](auto& track) { retimeTrack(track, start, edit.rate); });
    for (double& time : edited.way.times) time = start + (time - start) / edit.rate;
    shaped.durationSeconds /= edit.rate;
    shaped.groundSpeedMetersPerSecond *= edit.rate;
  }
  return edited;
}

Result<Clip> editedClip(const Character& character, const Clip& clip, const ClipEdit& edit,
                        std::optional<double> seamMm) {
  auto edited = editedClipWithWay(character, clip, edit, seamMm);
  if (!edited) return tl::unexpected(edited.error());
  return std::move(edited->clip);
}

}  // namespace ck
