#include "core/anim/edited_clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"

namespace ck {
namespace {

// The user types trims as decimals: a trim that exceeds the clip by this much is a rounding error.
constexpr double kRoundingSeconds = 1e-6;
constexpr double kShortestTrimSeconds = 1e-4;
// A key closer than this to an end of the trim counts as that end.
constexpr double kSameSeconds = 1e-9;
constexpr double kTravelMeters = 1e-4;

template <class Value>
struct Cut {
  Value value;
  Value slope = {};  // per second; zero unless the track is cubic
};

// The spline between keys k0 and k0 + 1 at `seconds`, before a rotation is normalised. Two values
// and two slopes define a cubic, so the trimmed ends continue the original curve. Summed in double,
// so that only the results are rounded.
template <class Value>
Cut<Value> splineCut(const Track<Value>& track, std::size_t k0, double seconds) {
  const double step = track.times[k0 + 1] - track.times[k0];
  const double t = (seconds - track.times[k0]) / step;
  const double t2 = t * t;
  const double t3 = t2 * t;
  using Wide = decltype(sampleTrack(track, seconds));
  const Wide p0(track.values[3 * k0 + 1]);
  const Wide m0(track.values[3 * k0 + 2]);
  const Wide m1(track.values[3 * (k0 + 1)]);
  const Wide p1(track.values[3 * (k0 + 1) + 1]);
  const auto sum = [&](double a, double b, double c, double d) {
    return Value(p0 * a + m0 * b + p1 * c + m1 * d);
  };
  return {
      sum(2 * t3 - 3 * t2 + 1, step * (t3 - 2 * t2 + t), 3 * t2 - 2 * t3, step * (t3 - t2)),
      sum((6 * t2 - 6 * t) / step, 3 * t2 - 4 * t + 1, (6 * t - 6 * t2) / step, 3 * t2 - 2 * t)};
}

// The value and slope of a track at a time, taken from the side that the trim keeps.
template <class Value>
Cut<Value> cutAt(const Track<Value>& track, double seconds, bool isEnd) {
  if (track.interpolation == Interpolation::Step) {
    return {Value(sampleTrack(track, seconds + kSameSeconds))};
  }
  if (track.interpolation == Interpolation::Linear) return {Value(sampleTrack(track, seconds))};
  const auto after =
      isEnd ? std::lower_bound(track.times.begin(), track.times.end(), seconds - kSameSeconds)
            : std::upper_bound(track.times.begin(), track.times.end(), seconds + kSameSeconds);
  if (after == track.times.begin()) return {track.values[1]};
  if (after == track.times.end()) return {track.values[track.values.size() - 2]};
  return splineCut(track, static_cast<std::size_t>(after - track.times.begin()) - 1, seconds);
}

template <class Value>
void addKey(Track<Value>& track, double seconds, const Value& in, const Value& value,
            const Value& out) {
  track.times.push_back(seconds);
  if (track.interpolation == Interpolation::Cubic) {
    track.values.insert(track.values.end(), {in, value, out});
  } else {
    track.values.push_back(value);
  }
}

template <class Value>
void cutTrack(Track<Value>& track, const Trim& trim) {
  if (track.empty()) return;
  const Track<Value> whole = std::exchange(track, {});
  track.interpolation = whole.interpolation;
  const bool cubic = whole.interpolation == Interpolation::Cubic;
  const Cut<Value> first = cutAt(whole, trim.startSeconds, false);
  addKey(track, trim.startSeconds, Value{}, first.value, first.slope);
  for (std::size_t k = 0; k < whole.times.size(); ++k) {
    const double time = whole.times[k];
    if (time <= trim.startSeconds + kSameSeconds || time >= trim.endSeconds - kSameSeconds) {
      continue;
    }
    const Value* at = &whole.values[cubic ? 3 * k : k];
    // The original holds its value before the first key and after the last one, so the tangents
    // that point there must not bend the new steps to the ends of the trim.
    const Value in = k == 0 ? Value{} : at[0];
    const Value out = k + 1 == whole.times.size() ? Value{} : at[cubic ? 2 : 0];
    addKey(track, time, in, at[cubic ? 1 : 0], out);
  }
  const Cut<Value> last = cutAt(whole, trim.endSeconds, true);
  addKey(track, trim.endSeconds, last.slope, last.value, Value{});
}

template <class Value>
void retimeTrack(Track<Value>& track, double startSeconds, double rate) {
  for (double& time : track.times) time = startSeconds + (time - startSeconds) / rate;
  if (track.interpolation != Interpolation::Cubic) return;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (i % 3 != 1) track.values[i] = track.values[i] * static_cast<float>(rate);
  }
}

template <class Change>
void forTracks(Clip& clip, Change&& change) {
  for (JointTracks& tracks : clip.jointTracks) {
    change(tracks.translation);
    change(tracks.rotation);
    change(tracks.scale);
  }
  for (MorphTrack& track : clip.morphTracks) change(track.weight);
}

// For each joint, the number of skin joints at or below it. Counts joints if the rig has no skin.
std::vector<int> followers(const Rig& rig) {
  std::vector<int> count(rig.joints.size(), rig.skinJoints.empty() ? 1 : 0);
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    ++count[static_cast<std::size_t>(skinJoint.joint)];
  }
  for (std::size_t j = rig.joints.size(); j-- > 0;) {
    const int parent = rig.joints[j].parent;
    if (parent >= 0) count[static_cast<std::size_t>(parent)] += count[j];
  }
  return count;
}

// From a joint's translation to model space, with all joints above at their pose of the clip's
// start.
glm::dmat3 translationToModel(const Rig& rig, const Clip& clip, int joint) {
  const std::vector<glm::dmat4> globals =
      globalMatrices(rig, sampleClip(rig, clip, clip.startSeconds));
  const Joint& own = rig.joints[static_cast<std::size_t>(joint)];
  const glm::dmat4 parent =
      own.parent < 0 ? glm::dmat4(1.0) : globals[static_cast<std::size_t>(own.parent)];
  return glm::dmat3(parent * own.preTransform);
}

glm::dvec3 sideways(const glm::dvec3& v) {
  return {v.x, 0.0, v.z};
}

double largestTravel(const Rig& rig, const Clip& clip, const JointTracks& tracks) {
  if (tracks.translation.times.size() < 2) return 0.0;
  const glm::dmat3 toModel = translationToModel(rig, clip, tracks.joint);
  const glm::dvec3 first = sampleTrack(tracks.translation, clip.startSeconds);
  double farthest = 0.0;
  for (const double time : tracks.translation.times) {
    const glm::dvec3 moved = toModel * (sampleTrack(tracks.translation, time) - first);
    farthest = std::max(farthest, glm::length(sideways(moved)));
  }
  return farthest;
}

void putInPlace(const Rig& rig, Clip& clip) {
  const int joint = travellingJoint(rig, clip);
  if (joint < 0) return;
  const auto tracks = std::find_if(clip.jointTracks.begin(), clip.jointTracks.end(),
                                   [joint](const JointTracks& t) { return t.joint == joint; });
  Track<glm::vec3>& track = tracks->translation;
  const glm::dmat3 toModel = translationToModel(rig, clip, joint);
  if (std::abs(glm::determinant(toModel)) < 1e-18) return;
  const glm::dmat3 fromModel = glm::inverse(toModel);
  const glm::dvec3 first = sampleTrack(track, clip.startSeconds);
  const glm::dvec3 last = sampleTrack(track, clip.startSeconds + clip.durationSeconds);
  const auto upright = [&](const glm::dvec3& v) { return v - fromModel * sideways(toModel * v); };
  const bool cubic = track.interpolation == Interpolation::Cubic;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    const bool isSlope = cubic && i % 3 != 1;
    const glm::dvec3 value(track.values[i]);
    track.values[i] = glm::vec3(isSlope ? upright(value) : first + upright(value - first));
  }
  if (clip.groundSpeedMetersPerSecond == 0.0 && clip.durationSeconds > 0.0) {
    clip.groundSpeedMetersPerSecond = (toModel * (last - first)).z / clip.durationSeconds;
  }
}

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

}  // namespace

int travellingJoint(const Rig& rig, const Clip& clip) {
  const std::vector<int> count = followers(rig);
  int best = -1;
  for (const JointTracks& tracks : clip.jointTracks) {
    const auto joint = static_cast<std::size_t>(tracks.joint);
    const bool better =
        best < 0 || count[joint] > count[static_cast<std::size_t>(best)] ||
        (count[joint] == count[static_cast<std::size_t>(best)] && tracks.joint < best);
    if (better && largestTravel(rig, clip, tracks) > kTravelMeters) best = tracks.joint;
  }
  return best;
}

Result<Clip> editedClip(const Rig& rig, const Clip& clip, const ClipEdit& edit) {
  if (!(edit.rate >= kSlowestClipRate && edit.rate <= kFastestClipRate)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("clip '{}' cannot play {} times as fast; {} to {} times can be baked",
                            clip.name, edit.rate, kSlowestClipRate, kFastestClipRate));
  }
  Clip shaped = clip;
  if (edit.trim) {
    const auto trim = checkedTrim(clip, *edit.trim);
    if (!trim) return tl::unexpected(trim.error());
    shaped.startSeconds = trim->startSeconds;
    shaped.durationSeconds = trim->endSeconds - trim->startSeconds;
    forTracks(shaped, [&trim](auto& track) { cutTrack(track, *trim); });
  }
  if (edit.root.motion == RootMotion::Strip) putInPlace(rig, shaped);
  if (edit.rate != 1.0) {
    const double start = shaped.startSeconds;
    forTracks(shaped, [&](auto& track) { retimeTrack(track, start, edit.rate); });
    shaped.durationSeconds /= edit.rate;
    shaped.groundSpeedMetersPerSecond *= edit.rate;
  }
  return shaped;
}

}  // namespace ck
