#include "core/detail/detail_levels.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/parallel_for.h"
#include "core/detail/folded_joints.h"
#include "core/detail/key_poses.h"
#include "core/detail/level_character.h"
#include "core/detail/point_set.h"
#include "core/detail/simplifier.h"
#include "core/detail/surface_error.h"

namespace ck {
namespace {

constexpr std::size_t kFewestTriangles = 60;
constexpr int kHalvings = 5;
constexpr std::size_t kMostPoses = 64;
// Posed points that are kept in memory: 12 bytes each.
constexpr std::size_t kMostPosedPoints = std::size_t{8} << 20;
// Shapes that a surface is simplified by: the bind pose and the first key poses.
constexpr std::size_t kPosedShapes = 4;
// Poses that decide between the candidates of a level.
constexpr std::size_t kDecidingPoses = 12;
// A candidate with more than this share of the wanted triangles has been stopped by its form.
constexpr double kNearEnough = 1.15;
// A surface that crosses seams must have at most this share of the error of one that keeps them.
constexpr double kWorthCrossing = 0.6;
// Points that are farther than this share of the largest distance are kept in the next round. The
// rounds end when so many in a row have found nothing better.
constexpr double kTooFar = 0.8;
constexpr int kIdleRounds = 3;
constexpr double kLeastSaving = 0.25;
// How much fewer joints and influences may add to the error of the triangles, as a factor.
constexpr double kMostGrowth = 1.25;
// Positions are floats: what counts as no error, as a share of the figure's size.
constexpr double kRounding = 1e-6;

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the levels of detail were stopped");
}

DetailLevel wholeLevel(const CharacterPtr& character) {
  DetailLevel level;
  level.character = character;
  int most = 0;
  for (const Mesh& mesh : character->meshes) {
    level.vertices += mesh.positions.size();
    level.triangles += mesh.indices.size() / 3;
    most = std::max(most, maxInfluences(mesh));
  }
  level.influences = most <= 1 ? 1 : most <= 2 ? 2 : 4;
  return level;
}

LimitedInfluences limited(const LimitedInfluences& influences, int limit) {
  std::array<Influence, 4> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {influences.skinJoints[i], influences.weights[i]};
  }
  return limitInfluences(all, limit);
}

int collapsedCount(std::span<const int> into) {
  int count = 0;
  for (std::size_t s = 0; s < into.size(); ++s) count += into[s] == static_cast<int>(s) ? 0 : 1;
  return count;
}

// A surface with its distance from the whole one.
struct Candidate {
  Surface surface;
  Simplifier::Wish wish;
  double meters = 0.0;
};

// Whether a candidate is nearer to the whole surface, or has fewer triangles where not both have
// few enough.
bool isBetter(const Candidate& a, const Candidate& b) {
  const double enough = kNearEnough * static_cast<double>(a.wish.triangles);
  const auto rank = [enough](const Candidate& candidate) {
    const auto count = static_cast<double>(candidate.surface.triangles());
    return std::pair(std::max(count, enough), candidate.meters);
  };
  return rank(a) < rank(b);
}

// Makes the levels of one character.
class LevelMaker {
 public:
  LevelMaker(const CharacterPtr& character, JobContext job)
      : job_(std::move(job)),
        plain_(unmorphed(*character)),
        points_(pointsOf(plain_)),
        whole_(surfaceOf(plain_)),
        simplifier_(plain_, points_, whole_) {}

  // Poses the points.
  Result<void> pose(const Character& character);

  // A level below `surface`, which becomes the level's surface. Nothing if the form does not allow
  // fewer triangles, or if the job is stopped.
  std::optional<DetailLevel> below(Surface& surface, std::size_t triangles) const;

  const Surface& whole() const { return whole_; }

 private:
  std::size_t deciding() const { return std::min(kDecidingPoses, poses_.size()); }
  std::optional<Candidate> candidate(const Surface& from, const Simplifier::Wish& wish,
                                     const JobContext& job) const;
  std::optional<Candidate> ofAnyShape(const Surface& from, std::size_t triangles,
                                      std::span<const char> kept) const;
  void refine(const Surface& from, Candidate& best) const;
  std::optional<Candidate> best(const Surface& from, std::size_t triangles) const;
  PosedPoints posedBy(const std::vector<LimitedInfluences>& influences,
                      const Surface& surface) const;
  DetailLevel measured(const Surface& surface) const;

  JobContext job_;
  Character plain_;
  PointSet points_;
  Surface whole_;
  Simplifier simplifier_;
  std::vector<KeyPose> poses_;
  std::vector<std::vector<glm::vec3>> posed_;  // by pose, by point
  PosedPoints posedWhole_;
  double roundingMeters_ = 0.0;
};

Result<void> LevelMaker::pose(const Character& character) {
  const std::size_t most = std::clamp(kMostPosedPoints / std::max<std::size_t>(points_.size(), 1),
                                      kPosedShapes, kMostPoses);
  auto poses = keyPoses(character, points_, most, job_);
  if (!poses) return tl::unexpected(poses.error());
  poses_ = std::move(*poses);
  posed_.resize(poses_.size());
  const bool done = parallelFor(poses_.size(), job_, [this](std::size_t pose) {
    std::vector<glm::vec3>& places = posed_[pose];
    places.reserve(points_.size());
    for (std::size_t p = 0; p < points_.size(); ++p) {
      places.push_back(posed(points_.positions[p], points_.influences[p], poses_[pose].skins));
    }
  });
  if (!done) return stopped();
  posedWhole_ = [this](std::size_t pose, std::vector<glm::vec3>&) {
    return std::span<const glm::vec3>(posed_[pose]);
  };
  glm::vec3 low = posed_.front().front();
  glm::vec3 high = low;
  for (const glm::vec3& place : posed_.front()) {
    low = glm::min(low, place);
    high = glm::max(high, place);
  }
  roundingMeters_ = kRounding * static_cast<double>(glm::distance(low, high));
  return {};
}

std::optional<Candidate> LevelMaker::candidate(const Surface& from, const Simplifier::Wish& wish,
                                               const JobContext& job) const {
  std::optional<Surface> surface = simplifier_.simplified(from, wish);
  if (!surface) return std::nullopt;
  const double meters = SurfaceError(points_, whole_, *surface, job)
                            .largest(posedWhole_, posedWhole_, deciding(), job);
  return Candidate{std::move(*surface), wish, meters};
}

// The best candidate of all shapes.
std::optional<Candidate> LevelMaker::ofAnyShape(const Surface& from, std::size_t triangles,
                                                std::span<const char> kept) const {
  std::vector<std::optional<Candidate>> made(1 + std::min(kPosedShapes, poses_.size()));
  JobContext one = job_;
  one.threadCount = 1;
  parallelFor(made.size(), job_, [&](std::size_t shape) {
    const auto& places = shape == 0 ? points_.positions : posed_[shape - 1];
    made[shape] = candidate(from, {triangles, places, Seams::Kept, kept}, one);
  });
  std::optional<Candidate> best;
  for (std::optional<Candidate>& each : made) {
    if (each && (!best || isBetter(*each, *best))) best = std::move(each);
  }
  return best;
}

// Keeps the points that are too far from the surface and takes others instead, until this has not
// helped for some rounds. A point that `from` has lost already is kept by its nearest corner.
void LevelMaker::refine(const Surface& from, Candidate& best) const {
  const std::vector<std::uint32_t> nearest =
      SurfaceError(points_, whole_, from, job_).nearestCorners(points_);
  std::vector<char> kept(points_.size());
  Candidate last = best;
  SurfaceError error(points_, whole_, last.surface, job_);
  for (int idle = 0; idle < kIdleRounds && !job_.stopRequested(); ++idle) {
    for (const std::uint32_t point :
         error.farther(posedWhole_, posedWhole_, deciding(), kTooFar * last.meters)) {
      kept[nearest[point]] = 1;
    }
    last.wish.kept = kept;
    std::optional<Surface> surface = simplifier_.simplified(from, last.wish);
    if (!surface) return;
    last.surface = std::move(*surface);
    error = SurfaceError(points_, whole_, last.surface, job_);
    last.meters = error.largest(posedWhole_, posedWhole_, deciding(), job_);
    if (!isBetter(last, best)) continue;
    best = last;
    idle = -1;
  }
}

std::optional<Candidate> LevelMaker::best(const Surface& from, std::size_t triangles) const {
  const std::vector<char> none(points_.size());
  std::optional<Candidate> best = ofAnyShape(from, triangles, none);
  if (!best) return best;
  Simplifier::Wish wish = best->wish;
  wish.seams = Seams::Crossed;
  std::optional<Candidate> crossed = candidate(from, wish, job_);
  // Smeared textures must be worth it.
  if (crossed) crossed->meters /= kWorthCrossing;
  if (crossed && isBetter(*crossed, *best)) {
    crossed->meters *= kWorthCrossing;
    best = std::move(crossed);
  }
  refine(from, *best);
  return best;
}

// The points of a surface's corners with other influences than the whole character has.
PosedPoints LevelMaker::posedBy(const std::vector<LimitedInfluences>& influences,
                                const Surface& surface) const {
  std::vector<std::uint32_t> used;
  for (const std::uint32_t corner : surface.corners) used.push_back(points_.pointOf[corner]);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return [this, &influences, used = std::move(used)](std::size_t pose,
                                                     std::vector<glm::vec3>& scratch) {
    scratch.resize(points_.size());
    for (const std::uint32_t point : used) {
      scratch[point] = posed(points_.positions[point], influences[point], poses_[pose].skins);
    }
    return std::span<const glm::vec3>(scratch);
  };
}

// Takes influences from the points as long as the error stays close to that of the triangles alone.
DetailLevel LevelMaker::measured(const Surface& surface) const {
  SurfaceError error(points_, whole_, surface, job_);
  std::vector<LimitedInfluences> influences = points_.influences;
  DetailLevel level;
  level.errorMeters =
      error.largest(posedWhole_, posedWhole_, poses_.size(), job_) + roundingMeters_;
  const double ofTriangles = level.errorMeters;
  const auto take = [&](std::vector<LimitedInfluences> fewer) {
    const double meters =
        error.largest(posedWhole_, posedBy(fewer, surface), poses_.size(), job_) + roundingMeters_;
    if (meters > kMostGrowth * ofTriangles) return false;
    level.errorMeters = std::max(level.errorMeters, meters);
    influences = std::move(fewer);
    return true;
  };
  for (const double share : {1.0, 0.5, 0.25}) {
    const std::vector<int> into = foldedJoints(plain_.rig, points_, poses_, share * ofTriangles);
    std::vector<LimitedInfluences> fewer;
    for (const LimitedInfluences& each : influences) fewer.push_back(folded(each, into));
    if (!take(std::move(fewer))) continue;
    level.collapsedJoints = collapsedCount(into);
    break;
  }
  for (const int limit : {2, 1}) {
    std::vector<LimitedInfluences> fewer;
    for (const LimitedInfluences& each : influences) fewer.push_back(limited(each, limit));
    if (!take(std::move(fewer))) break;
    level.influences = limit;
  }
  level.triangles = surface.triangles();
  level.character =
      std::make_shared<Character>(levelCharacter(plain_, points_, surface, influences));
  for (const Mesh& mesh : level.character->meshes) level.vertices += mesh.positions.size();
  return level;
}

std::optional<DetailLevel> LevelMaker::below(Surface& surface, std::size_t triangles) const {
  std::optional<Candidate> candidate = best(surface, triangles);
  if (!candidate || job_.stopRequested()) return std::nullopt;
  surface = simplifier_.dressed(candidate->surface, candidate->wish.seams);
  return measured(surface);
}

// Adds a level behind those that are nearer to the whole character. One that is no nearer than the
// new one has more triangles for nothing.
void add(std::vector<DetailLevel>& levels, DetailLevel level) {
  while (levels.size() > 1 && levels.back().errorMeters >= level.errorMeters) levels.pop_back();
  levels.push_back(std::move(level));
}

bool saves(std::size_t triangles, std::size_t before) {
  return static_cast<double>(triangles) <= (1.0 - kLeastSaving) * static_cast<double>(before);
}

}  // namespace

Result<DetailLevels> makeDetailLevels(const CharacterPtr& character, const JobContext& job) {
  DetailLevels result{{wholeLevel(character)}};
  const std::size_t whole = result.levels.front().triangles;
  if (whole / 2 < kFewestTriangles) return result;
  LevelMaker maker(character, job);
  job.report(0.1f, "Posing the character");
  if (auto ok = maker.pose(*character); !ok) return tl::unexpected(ok.error());
  Surface surface = maker.whole();
  for (int halvings = 1; halvings <= kHalvings && (whole >> halvings) >= kFewestTriangles;
       ++halvings) {
    job.report(0.2f + 0.8f * static_cast<float>(halvings - 1) / kHalvings,
               "Simplifying the meshes");
    const std::size_t before = surface.triangles();
    std::optional<DetailLevel> level = maker.below(surface, whole >> halvings);
    if (job.stopRequested()) return stopped();
    if (!level) break;
    if (saves(level->triangles, result.levels.back().triangles)) {
      add(result.levels, std::move(*level));
    }
    // A form that gives nothing more now gives nothing more later.
    if (surface.triangles() == before) break;
  }
  return result;
}

}  // namespace ck
