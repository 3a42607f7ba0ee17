#include "core/project/clip_doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/anim/edited_clip.h"
#include "core/anim/loop_gap.h"
#include "core/bake/bake.h"
#include "core/bake/bake_window.h"
#include "core/bake/seam.h"
#include "core/base/parallel_for.h"
#include "core/import/clip_names.h"
#include "core/import/still_joints.h"
#include "core/project/clip_measures.h"

namespace ck {
namespace {

// Poses nearer than this are one pose: exporters round.
constexpr double kSamePoseMm = 0.05;

constexpr bool isInOrder() {
  for (std::size_t i = 0; i < kFindingKinds.size(); ++i) {
    if (kFindingKinds[i].kind != static_cast<FindingKind>(i)) return false;
  }
  return true;
}
static_assert(isInOrder());

std::string_view plural(std::size_t count) {
  return count == 1 ? "" : "s";
}

// Less than a hundredth is of rounding.
std::string mmText(double mm) {
  return fmt::format("{:.3g} mm", 0.01 * std::round(100.0 * mm));
}

// "97 mm apart at vertices (Body)"
std::string gapText(const ClipSeam& seam) {
  const bool isMesh = seam.figures.seamMesh >= 0;
  return fmt::format("{} apart at {} ({})", mmText(seam.figures.seamMm),
                     isMesh ? "vertices" : "joints", seam.where);
}

// Whether no key of a flip is left if keys are that far apart at least (ClipEdit).
bool isThinnedAway(const Clip& clip, const RotationFlip& flip, double gapSeconds) {
  for (const JointTracks& tracks : clip.jointTracks) {
    if (tracks.joint != flip.joint || tracks.rotation.empty()) continue;
    double kept = tracks.rotation.times.front();
    for (const double time : tracks.rotation.times) {
      if (time != kept && time - kept < gapSeconds) continue;
      kept = time;
      const bool isInside = time > flip.seconds && time < flip.seconds + flip.lengthSeconds;
      if (isInside) return false;
    }
  }
  return true;
}

// One clip with its edit, and what was measured on it.
class Examination {
 public:
  Examination(const Character& character, const ProjectCharacter& settings, int number,
              const Clip& clip, const Shell& shell, const JobContext& job)
      : character_(character),
        asked_(settings.clips[static_cast<std::size_t>(number)]),
        number_(number),
        limitMm_(seamLimitMm(character, settings.bake.seamMm)),
        clip_(clip),
        now_(measureClip(character, clip, shell, job)) {}

  std::vector<ClipFinding> findings() {
    if (now_.keys == 0) return {};
    if (now_.fromFirstMm <= kSamePoseMm) {
      examinePose();
    } else {
      examineEnds();
      examineRoot();
      examineScale();
      examineNearKeys();
      examineFlips();
      examineSpan();
      examineGround();
    }
    return std::move(found_);
  }

  // How the clip closes where its drift is taken off.
  Seam seam() const { return seam_; }
  bool isOnePose() const { return now_.fromFirstMm <= kSamePoseMm; }
  const ClipMeasures& measures() const { return now_; }
  // The part in which it moves, if that is much less than all.
  std::optional<Trim> motion() const {
    constexpr double kMostShare = 0.5;
    constexpr double kLeastStillSeconds = 1.0;
    const double length = now_.motionTo - now_.motionFrom;
    const double all = now_.moments.back() - now_.moments.front();
    // Where morph targets move, joints may stand still.
    if (!clip_.morphTracks.empty() || !(length > 0.0)) return std::nullopt;
    if (length > kMostShare * all || all - length < kLeastStillSeconds) return std::nullopt;
    return Trim{now_.motionFrom, now_.motionTo};
  }

 private:
  ClipFinding& add(FindingKind kind, FindingLevel level, std::string message, std::string fix) {
    found_.push_back({.kind = kind,
                      .clip = number_,
                      .level = level,
                      .message = std::move(message),
                      .fix = std::move(fix)});
    return found_.back();
  }

  // A clip that holds still.
  void examinePose() {
    const bool oneKey = now_.keys == 1;
    const std::string keys =
        oneKey ? "its only key" : fmt::format("each of its {} keys", now_.keys);
    if (now_.fromRestMm <= kSamePoseMm && !oneKey) {
      const bool saysNothing =
          isGenericClipName(clip_.nameInFile.empty() ? clip_.name : clip_.nameInFile);
      add(FindingKind::EmptyTake, saysNothing ? FindingLevel::Bad : FindingLevel::Look,
          fmt::format("none of its {} keys moves anything: the figure is at rest for {:.3f} s",
                      now_.keys, clip_.durationSeconds),
          "Leave out");
    } else if (now_.fromRestMm <= kSamePoseMm || now_.fromBindMm <= kSamePoseMm) {
      add(FindingKind::RestClip, FindingLevel::Look,
          fmt::format("{} shows the pose {}, as a T-pose does", keys,
                      now_.fromRestMm <= kSamePoseMm ? "at rest" : "in which the mesh was bound"),
          "Leave out");
    } else if (asked_.loop != LoopMode::Once) {
      ClipFinding& finding =
          add(FindingKind::PosePlayed, FindingLevel::Look,
              oneKey ? std::string("it is a pose of one key, which plays as a loop")
                     : fmt::format("its {} keys are one pose, which plays as a loop", now_.keys),
              "Hold as a pose");
      if (now_.keys > 2) finding.trim = Trim{now_.moments[0], now_.moments[1]};
    }
  }

  bool loopsByChoice() const { return asked_.loop == LoopMode::Loop; }

  void examineEnds() {
    seam_ = classifySeam(now_.seam.figures, limitMm_);
    // If a clip ends in the middle of its motion, the root is elsewhere as well.
    const Seam inPlace =
        now_.drifts ? classifySeam(now_.seamInPlace.figures, limitMm_) : Seam::None;
    drifts_ = inPlace != Seam::None;
    if (drifts_) seam_ = inPlace;
    if (asked_.loop && *asked_.loop != LoopMode::Loop) return;
    examineDoubledEnd();
    if (seam_ != Seam::None) return;
    const auto end = bestEnd();
    const std::string shut =
        end ? fmt::format("; cut at {:.3f} s, they are {} apart", now_.moments[*end],
                          mmText(now_.nearestSeam.figures.seamMm))
            : "";
    const bool forced = loopsByChoice() || asked_.seam == SeamChoice::Inclusive ||
                        asked_.seam == SeamChoice::Exclusive;
    if (!forced && !end) return;
    ClipFinding& finding =
        add(FindingKind::OpenSeam, forced ? FindingLevel::Bad : FindingLevel::Look,
            fmt::format("{} its ends are {}{}",
                        forced ? "it loops, but" : "it plays once:", gapText(now_.seam), shut),
            end ? "Cut there and loop" : "Play once");
    if (end) finding.trim = Trim{now_.moments.front(), now_.moments[*end]};
  }

  void examineDoubledEnd() {
    const std::size_t last = now_.moments.size() - 1;
    if (asked_.seam == SeamChoice::Exclusive && seam_ == Seam::Inclusive &&
        now_.seam.figures.seamMm <= kSamePoseMm) {
      add(FindingKind::DoubledEnd, FindingLevel::Bad,
          fmt::format("its last key repeats the first, and the seam 'exclusive' plays both: it "
                      "stands still for {:.1f} ms in every round",
                      1000.0 * closingStepSeconds(clip_)),
          "Measure the seam");
      return;
    }
    if (seam_ != Seam::Inclusive || drifts_ || last < 4) return;
    const double before = now_.moments[last] - now_.moments[last - 1];
    const double usual = clip_.durationSeconds / static_cast<double>(last);
    // The step before has to move, or the artist lets the figure rest there.
    const bool repeats = now_.lastStepMm <= kSamePoseMm && before < 1.5 * usual &&
                         now_.fromStartMm[last - 2] > 10.0 * kSamePoseMm;
    if (!repeats || now_.fromStartMm[last - 1] > kSamePoseMm) return;
    add(FindingKind::DoubledEnd, FindingLevel::Bad,
        fmt::format("its last two keys are both the pose of the first: it stands still for {:.1f} "
                    "ms in every round",
                    1000.0 * before),
        "Cut the last key")
        .trim = Trim{now_.moments.front(), now_.moments[last - 1]};
  }

  // The moment of the clip's last third that comes nearest to its first pose, if it closes there.
  std::optional<std::size_t> bestEnd() const {
    if (now_.nearestEnd == 0) return std::nullopt;
    if (classifySeam(now_.nearestSeam.figures, limitMm_) != Seam::Inclusive) return std::nullopt;
    return now_.nearestEnd;
  }

  void examineRoot() {
    // A thing that does nothing but slide has no cycle to loop.
    constexpr double kMovesMm = 5.0;
    if (!drifts_ || now_.aroundRootMm < kMovesMm) return;
    if (asked_.loop && *asked_.loop != LoopMode::Loop) return;
    const glm::dvec3& way = now_.drift;
    const double limit = driftLimit(character_);
    const double sideways = std::hypot(way.x, way.z);
    const std::string& root = character_.rig.joints[static_cast<std::size_t>(now_.root)].name;
    std::string text;
    if (sideways > limit) {
      text = fmt::format("{} travels {:.3g} m over the ground ({:.3g}, {:.3g}) in {:.3f} s", root,
                         sideways, way.x, way.z, clip_.durationSeconds);
    }
    if (std::abs(way.y) > limit) {
      text += fmt::format("{} {:.3g} m",
                          text.empty() ? root + (way.y < 0 ? " sinks by" : " rises by")
                          : way.y < 0  ? " and sinks by"
                                       : " and rises by",
                          std::abs(way.y));
    }
    const bool jumps = loopsByChoice();
    text += jumps ? "; a loop jumps back by that"
                  : fmt::format("; in place its ends would be {} apart, and it could loop",
                                mmText(now_.seamInPlace.figures.seamMm));
    const bool upright = std::abs(way.y) <= limit;
    add(FindingKind::RootDrift, jumps ? FindingLevel::Bad : FindingLevel::Look, std::move(text),
        upright ? "Play in place" : "Play in place and at one height")
        .fixesHeight = !upright;
  }

  void examineScale() {
    // Larger changes are seen, smaller ones cost nothing.
    constexpr double kSeen = 2e-3;
    constexpr double kCosts = 2e-4;
    if (asked_.edit.dropScale) return;
    const ScaleKeys keys = scaleKeysOf(character_.rig, clip_);
    if (keys.largestShare < kCosts || keys.largestShare > kSeen) return;
    add(FindingKind::IdleScale, FindingLevel::Look,
        fmt::format("the scale keys of {} joint{} stay within {:.2g} % of the scale at rest",
                    keys.joints, plural(static_cast<std::size_t>(keys.joints)),
                    100.0 * keys.largestShare),
        "Drop scale keys");
  }

  void examineNearKeys() {
    const NearKeys near = nearKeysOf(clip_);
    if (near.count == 0 || asked_.edit.smallestKeyGapSeconds > near.largestGapSeconds) return;
    add(FindingKind::NearKeys, FindingLevel::Look,
        fmt::format("{} key{} of single tracks follow{} another within {:.2g} ms, where {:.3g} ms "
                    "are usual",
                    near.count, plural(static_cast<std::size_t>(near.count)),
                    near.count == 1 ? "s" : "", 1000.0 * near.largestGapSeconds,
                    1000.0 * near.usualStepSeconds),
        "Leave these keys out")
        .smallestKeyGapSeconds = 1.01 * near.largestGapSeconds;
  }

  void examineFlips() {
    const RotationFlip flip = rotationFlipOf(clip_);
    if (flip.joint < 0) return;
    // Keys are left out from the first one on, so some of the flip may stay.
    const double gap = std::max(asked_.edit.smallestKeyGapSeconds, 0.99 * flip.lengthSeconds);
    const bool goes = isThinnedAway(clip_, flip, gap);
    add(FindingKind::RotationFlip, FindingLevel::Bad,
        fmt::format("{} flips: at {:.3f} s it turns by {:.0f} degrees within {:.0f} ms and ends as "
                    "it began, as Euler angles do that jump by a whole turn",
                    character_.rig.joints[static_cast<std::size_t>(flip.joint)].name, flip.seconds,
                    flip.degrees, 1000.0 * flip.lengthSeconds),
        goes ? "Take the short way" : "")
        .smallestKeyGapSeconds = gap;
  }

  void examineSpan() {
    const auto moving = motion();
    if (!moving) return;
    add(FindingKind::LongSpan, FindingLevel::Look,
        fmt::format("it moves from {:.3f} to {:.3f} s, and stands still for the rest of its {:.3f} "
                    "s",
                    moving->startSeconds, moving->endSeconds,
                    now_.moments.back() - now_.moments.front()),
        "Cut to the motion")
        .trim = moving;
  }

  // No edit lifts a clip, so there is nothing to press.
  void examineGround() {
    constexpr double kSeenMm = 20.0;
    constexpr double kSeenShare = 0.05;  // of the figure's height: paws that gallop dip in
    const Bounds bounds = bindBounds(character_);
    const double height = bounds.high.y - bounds.low.y;
    if (now_.belowGroundMm <= std::max(kSeenMm, 1000.0 * kSeenShare * height)) return;
    add(FindingKind::BelowGround, FindingLevel::Look,
        fmt::format("its feet are {} below the ground at {:.3f} s; lift the root in the file, or "
                    "the actors that play it",
                    mmText(now_.belowGroundMm), now_.belowGroundSeconds),
        "");
  }

  const Character& character_;
  const ProjectClip& asked_;
  int number_;
  double limitMm_;  // how far a vertex may be moved to close the clip
  const Clip& clip_;
  ClipMeasures now_;
  Seam seam_ = Seam::Inclusive;
  bool drifts_ = false;  // whether it closes without its drift
  std::vector<ClipFinding> found_;
};

// Keys that lie between the frames of a bake at a chosen rate.
struct MissedKeys {
  std::size_t missed = 0;
  std::size_t keys = 0;
  double frameHz = 0.0;
  std::optional<double> keyHz = {};
};

MissedKeys missedKeys(const Rig& rig, const Clip& clip, Seam seam, const BakeSettings& settings) {
  MissedKeys result;
  const std::vector<double> times = keyTimes(clip);
  result.keys = times.size();
  if (times.size() < 2) return result;
  const double closing = seam == Seam::Exclusive ? closingStepSeconds(clip) : 0.0;
  const int moments = frameCountFor(rig, clip, seam, settings);
  const double step = (clip.durationSeconds + closing) / (moments - 1);
  if (!(step > 0.0)) return result;
  result.frameHz = 1.0 / step;
  if (const auto grid = keyGrid(clip)) result.keyHz = 1.0 / grid->stepSeconds;
  result.missed = static_cast<std::size_t>(std::ranges::count_if(times, [&](double time) {
    const double x = (time - clip.startSeconds) / step;
    return std::abs(x - std::round(x)) >= 2e-3;
  }));
  return result;
}

// The findings about one clip.
struct ClipResult {
  std::vector<ClipFinding> findings;
  bool moves = false;
  MissedKeys missed;
  ClipMeasures measures = {};
  std::optional<Trim> motion = {};
};

// Finds clips that are an earlier one under another name.
void addSameClips(const ProjectCharacter& settings, const JobContext& job,
                  std::vector<ClipResult>& results) {
  // Of poses, which are alike anyway, each has its own finding.
  for (std::size_t i = 1; i < results.size(); ++i) {
    if (!results[i].moves || job.stopRequested()) continue;
    for (std::size_t other = 0; other < i; ++other) {
      if (!results[other].moves ||
          !looksAlike(results[i].measures, results[other].measures, kSamePoseMm)) {
        continue;
      }
      results[i].findings.push_back(
          {.kind = FindingKind::SameClip,
           .clip = static_cast<int>(i),
           .level = FindingLevel::Look,
           .message = fmt::format("it is '{}' under a second name", titleOf(settings.clips[other])),
           .fix = "Leave out"});
      break;
    }
  }
}

// Exporters that give every take the span of the scene.
std::optional<ClipFinding> spansFinding(const std::vector<ClipResult>& results) {
  std::size_t moving = 0;
  std::size_t still = 0;
  std::optional<double> length;
  ClipFinding finding;
  finding.kind = FindingKind::SpansAlike;
  for (const ClipResult& result : results) {
    finding.trims.push_back(result.motion);
    if (!result.moves) continue;
    const double own = result.measures.moments.back() - result.measures.moments.front();
    if (length && std::abs(own - *length) > 1e-3) return std::nullopt;
    length = own;
    ++moving;
    still += result.motion ? 1 : 0;
  }
  if (moving < 3 || 2 * still < moving) return std::nullopt;
  finding.message = fmt::format(
      "all {} clips that move last {:.3f} s, and {} of them stand still for most of that: they "
      "have "
      "the span of the scene",
      moving, *length, still);
  finding.fix = "Cut all to their motion";
  return finding;
}

std::optional<ClipFinding> rateFinding(const std::vector<ClipResult>& results,
                                       const ProjectCharacter& settings) {
  std::size_t clips = 0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].missed.missed == 0) continue;
    ++clips;
    if (clips == 1 || results[i].missed.missed > results[worst].missed.missed) worst = i;
  }
  if (clips == 0) return std::nullopt;
  const MissedKeys& most = results[worst].missed;
  const std::string made =
      most.keyHz ? fmt::format("was made at {:.4g} keys a second", *most.keyHz) : "has uneven keys";
  // Uneven keys lie between frames whatever the rate is.
  return ClipFinding{
      .kind = FindingKind::KeyRate,
      .level = FindingLevel::Look,
      .message =
          fmt::format("{} clip{} lose{} keys at the chosen rate: '{}' {}, its {:.4g} frames "
                      "a second miss {} of {}",
                      clips, plural(clips), clips == 1 ? "s" : "", titleOf(settings.clips[worst]),
                      made, most.frameHz, most.missed, most.keys),
      .fix = "Bake on the keys"};
}

std::optional<ClipFinding> stillFinding(const Character& character,
                                        const ProjectCharacter& settings) {
  // Fewer are not worth a bake that other tools cannot compare joint by joint.
  constexpr double kLeastShare = 0.1;
  if (settings.import.mergeStillJoints) return std::nullopt;
  const auto all = static_cast<int>(character.rig.skinJoints.size());
  const int still = stillJointCount(character);
  if (still == 0 || still < kLeastShare * all) return std::nullopt;
  return ClipFinding{
      .kind = FindingKind::StillJoints,
      .level = FindingLevel::Look,
      .message = fmt::format("{} of {} skin joints never move against their parents; without them "
                             "an atlas is {:.0f} % smaller, and no vertex moves",
                             still, all, 100.0 * still / all),
      .fix = "Merge still joints"};
}

}  // namespace

const FindingInfo& findingInfo(FindingKind kind) {
  return kFindingKinds[static_cast<std::size_t>(kind)];
}

std::string_view findingLevelName(FindingLevel level) {
  return level == FindingLevel::Bad ? "bad" : "look";
}

std::vector<ClipFinding> examineClips(const Character& character, const ProjectCharacter& settings,
                                      const JobContext& job) {
  const Shell shell = measuringShell(character);
  const bool chosenRate = settings.bake.rateHz > 0.0 || settings.bake.frames > 0;
  std::vector<ClipResult> results(settings.clips.size());
  const bool done = parallelFor(results.size(), job, [&](std::size_t i) {
    const ProjectClip& asked = settings.clips[i];
    const auto source = clipNamed(character, asked.name);
    if (!asked.ticked || !source) return;
    const auto clip =
        editedClip(character, character.clips[*source], asked.edit, settings.bake.seamMm);
    if (!clip) return;  // the bake says why
    Examination examination(character, settings, static_cast<int>(i), *clip, shell, job);
    results[i].findings = examination.findings();
    results[i].moves = !examination.isOnePose() && examination.measures().keys > 0;
    results[i].measures = examination.measures();
    if (results[i].moves) results[i].motion = examination.motion();
    if (!chosenRate || !results[i].moves) return;
    results[i].missed = missedKeys(character.rig, *clip, examination.seam(), settings.bake);
  });
  if (!done || job.stopRequested()) return {};
  addSameClips(settings, job, results);
  std::vector<ClipFinding> findings;
  for (ClipResult& result : results) {
    std::ranges::stable_sort(result.findings, {}, &ClipFinding::kind);
    for (ClipFinding& finding : result.findings) findings.push_back(std::move(finding));
  }
  if (auto rate = rateFinding(results, settings)) findings.push_back(std::move(*rate));
  // Clips that are single poses cannot show which joints never move.
  if (std::ranges::none_of(results, &ClipResult::moves)) return findings;
  if (auto still = stillFinding(character, settings)) findings.push_back(std::move(*still));
  if (auto spans = spansFinding(results)) findings.push_back(std::move(*spans));
  return findings;
}

bool applyFix(ProjectCharacter& settings, const ClipFinding& finding) {
  if (finding.fix.empty()) return false;
  if (finding.kind == FindingKind::KeyRate) {
    settings.bake.rateHz = 0.0;
    settings.bake.frames = 0;
    return true;
  }
  if (finding.kind == FindingKind::StillJoints) {
    settings.import.mergeStillJoints = true;
    return true;
  }
  if (finding.kind == FindingKind::SpansAlike) {
    for (std::size_t i = 0; i < std::min(finding.trims.size(), settings.clips.size()); ++i) {
      if (finding.trims[i]) settings.clips[i].edit.trim = finding.trims[i];
    }
    return true;
  }
  if (finding.clip < 0 || static_cast<std::size_t>(finding.clip) >= settings.clips.size()) {
    return false;
  }
  ProjectClip& clip = settings.clips[static_cast<std::size_t>(finding.clip)];
  switch (finding.kind) {
    case FindingKind::EmptyTake:
    case FindingKind::RestClip:
    case FindingKind::SameClip:
      clip.ticked = false;
      break;
    case FindingKind::PosePlayed:
      clip.loop = LoopMode::Once;
      if (finding.trim) clip.edit.trim = finding.trim;
      break;
    case FindingKind::DoubledEnd:
      clip.seam = SeamChoice::Auto;
      if (finding.trim) clip.edit.trim = finding.trim;
      break;
    case FindingKind::OpenSeam:
      clip.seam = SeamChoice::Auto;
      if (finding.trim) {
        clip.edit.trim = finding.trim;
        clip.loop = LoopMode::Loop;
      } else {
        clip.loop = LoopMode::Once;
      }
      break;
    case FindingKind::RootDrift:
      clip.edit.root.motion = RootMotion::Strip;
      clip.edit.root.y = finding.fixesHeight;
      break;
    case FindingKind::IdleScale:
      clip.edit.dropScale = true;
      break;
    case FindingKind::LongSpan:
      clip.edit.trim = finding.trim;
      break;
    case FindingKind::NearKeys:
    case FindingKind::RotationFlip:
      clip.edit.smallestKeyGapSeconds = finding.smallestKeyGapSeconds;
      break;
    case FindingKind::KeyRate:
    case FindingKind::StillJoints:
    case FindingKind::SpansAlike:
    case FindingKind::BelowGround:
      break;
  }
  return true;
}

}  // namespace ck
