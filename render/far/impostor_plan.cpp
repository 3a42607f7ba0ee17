#include "render/far/impostor_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include "core/atlas/pose_reading.h"
#include "core/base/assert.h"

namespace ck::render {
namespace {

constexpr double kRingStep = kImpostorRingDegrees * std::numbers::pi / 180.0;
constexpr int kMostMomentsPerClip = 64;
// How many frames of a clip are looked at to see how far joints move.
constexpr int kProbesPerClip = 32;
// Color and form, RGBA8 each (shaders/far/cell.glsl).
constexpr std::size_t kBytesPerPixel = 8;
// The possible lengths of a cell's shorter side: powers of two, so that the smallest level of
// detail is one pixel wide or high and points read two pixels at most.
constexpr int kCellSides[] = {8, 16, 32, 64};
constexpr int kHorizons[] = {8, 12, 16, 20};

// The vertices of a character by which its boxes are measured.
struct Outline {
  // The vertices that reach farthest in some directions at bind time, for each joint that moves
  // any.
  std::vector<std::uint32_t> vertices;
  // One vertex for each of these joints.
  std::vector<std::uint32_t> ofJoints;
};

// Axes, diagonals of faces and of space: 13 lines through a box.
std::vector<glm::vec3> outlineDirections() {
  std::vector<glm::vec3> directions;
  for (int i = 0; i < 27; ++i) {
    const glm::vec3 direction(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    if (i != 13) directions.push_back(direction);
  }
  return directions;
}

Outline outlineOf(const WeldedCharacter& character, std::span<const IndexRun> runs,
                  std::size_t joints) {
  const std::vector<glm::vec3> directions = outlineDirections();
  struct Farthest {
    float reach = -1e30f;
    std::uint32_t vertex = 0;
  };
  std::vector<Farthest> farthest(joints * directions.size());
  std::vector<bool> seen(character.vertices.size(), false);
  for (const IndexRun& run : runs) {
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const std::uint32_t index = character.indices[run.first + i];
      if (seen[index]) continue;
      seen[index] = true;
      const GpuVertex& vertex = character.vertices[index];
      for (std::size_t d = 0; d < directions.size(); ++d) {
        Farthest& most = farthest[vertex.skinJoints[0] * directions.size() + d];
        const float reach = glm::dot(directions[d], vertex.position);
        if (reach > most.reach) most = {reach, index};
      }
    }
  }
  Outline outline;
  for (std::size_t i = 0; i < farthest.size(); ++i) {
    if (farthest[i].reach <= -1e30f) continue;  // moves nothing
    outline.vertices.push_back(farthest[i].vertex);
    if (i % directions.size() == 0) outline.ofJoints.push_back(farthest[i].vertex);
  }
  std::ranges::sort(outline.vertices);
  const auto twice = std::ranges::unique(outline.vertices);
  outline.vertices.erase(twice.begin(), twice.end());
  return outline;
}

glm::dvec3 skinned(const GpuVertex& vertex, const std::vector<glm::dmat4>& matrices) {
  const glm::dvec4 at(glm::dvec3(vertex.position), 1.0);
  glm::dvec3 sum(0.0);
  for (std::size_t k = 0; k < vertex.weights.size(); ++k) {
    const double weight = static_cast<double>(vertex.weights[k]);
    if (weight > 0.0) sum += weight * glm::dvec3(matrices[vertex.skinJoints[k]] * at);
  }
  return sum;
}

// `frame` counts from the clip's first.
std::vector<glm::dmat4> matricesAt(const Atlas& atlas, int clip, int frame) {
  return skinMatricesOf(atlas, storedFrame(atlas, clip, frame));
}

ImpostorMoment momentOf(const WeldedCharacter& character, const Outline& outline,
                        const std::vector<glm::dmat4>& matrices, int frame) {
  if (outline.vertices.empty()) return {0, frame, glm::vec3(0.0f), glm::vec3(0.5f)};
  glm::dvec3 low(1e300);
  glm::dvec3 high(-1e300);
  for (const std::uint32_t index : outline.vertices) {
    const glm::dvec3 at = skinned(character.vertices[index], matrices);
    low = glm::min(low, at);
    high = glm::max(high, at);
  }
  // A flat body gets a little thickness, so that it has a picture from the side.
  const glm::dvec3 half = 0.5 * (high - low);
  const double least = std::max(0.02 * std::max({half.x, half.y, half.z}), 1e-6);
  return {0, frame, glm::vec3(0.5 * (low + high)), glm::vec3(glm::max(half, glm::dvec3(least)))};
}

// The motion of a clip, known before its moments are chosen.
struct ClipMotion {
  int frames = 0;  // that differ: without the last one of a loop
  bool loops = false;
  // How far joints move in all, root mean square over joints, metres.
  double pathMeters = 0.0;
  // The same from one stored frame to the next, of clips in which frames are left out; else 0.
  double longestMeters = 0.0;
};

// The frame of the i-th of `count` moments, in the clip.
int frameOf(const ClipMotion& clip, int i, int count) {
  if (clip.loops) return i * clip.frames / count;
  return count == 1 ? 0
                    : static_cast<int>(std::lround(double(i) * (clip.frames - 1) / (count - 1)));
}

int nearestMoment(const ClipMotion& clip, int frame, int count) {
  if (count == 1) return 0;
  if (!clip.loops) {
    return static_cast<int>(std::lround(double(frame) * (count - 1) / (clip.frames - 1)));
  }
  return static_cast<int>(std::lround(double(frame) * count / clip.frames)) % count;
}

ClipMotion motionOf(const Atlas& atlas, int clip, const WeldedCharacter& character,
                    const Outline& outline) {
  const AtlasClip& one = atlas.clips[static_cast<std::size_t>(clip)];
  ClipMotion motion;
  motion.loops = one.loop == LoopMode::Loop && one.seam != Seam::None;
  motion.frames = motion.loops ? one.frameCount - 1 : one.frameCount;
  const bool isUneven = !one.keptMoments.empty();
  const int probes = isUneven ? one.frameCount : std::min(one.frameCount, kProbesPerClip);
  std::vector<glm::dmat4> before;
  for (int i = 0; i < probes && !outline.ofJoints.empty(); ++i) {
    std::vector<glm::dmat4> now = matricesAt(atlas, clip, i * (one.frameCount - 1) / (probes - 1));
    double squares = 0.0;
    for (const std::uint32_t index : outline.ofJoints) {
      if (before.empty()) break;
      const GpuVertex& vertex = character.vertices[index];
      const glm::dvec3 step = skinned(vertex, now) - skinned(vertex, before);
      squares += glm::dot(step, step);
    }
    const double meters = std::sqrt(squares / static_cast<double>(outline.ofJoints.size()));
    motion.pathMeters += meters;
    if (isUneven) motion.longestMeters = std::max(motion.longestMeters, meters);
    before = std::move(now);
  }
  return motion;
}

// Moments of a clip so that joints move by at most `stepMeters` between two.
int momentsFor(const ClipMotion& clip, double stepMeters) {
  const double wanted = std::ceil(clip.pathMeters / std::max(stepMeters, 1e-6));
  const int most = std::min(clip.frames, kMostMomentsPerClip);
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(most)));
}

std::vector<int> momentsFor(const std::vector<ClipMotion>& clips, double stepMeters) {
  std::vector<int> counts;
  for (const ClipMotion& clip : clips) counts.push_back(momentsFor(clip, stepMeters));
  return counts;
}

std::size_t sumOf(const std::vector<int>& counts) {
  std::size_t sum = 0;
  for (const int count : counts) sum += static_cast<std::size_t>(count);
  return sum;
}

constexpr double kLongestStepMeters = 1e3;

// The most moments within a number of cells: those with the shortest steps. Nothing if even one a
// clip is too many.
std::optional<std::vector<int>> mostMoments(const std::vector<ClipMotion>& clips,
                                            std::size_t cells) {
  double low = 0.0;
  double high = kLongestStepMeters;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (sumOf(momentsFor(clips, middle)) > cells ? low : high) = middle;
  }
  std::vector<int> counts = momentsFor(clips, high);
  if (sumOf(counts) > cells) return std::nullopt;
  return counts;
}

double halfStepMeters(const std::vector<ClipMotion>& clips, const std::vector<int>& counts) {
  double worst = 0.0;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (counts[c] < clips[c].frames) worst = std::max(worst, clips[c].pathMeters / counts[c]);
    worst =
        std::max(worst, clips[c].longestMeters * std::ceil(double(clips[c].frames) / counts[c]));
  }
  return 0.5 * worst;
}

int levelsOf(int width, int height) {
  return std::bit_width(static_cast<unsigned>(std::min(width, height)));
}

std::size_t cellBytes(int width, int height) {
  std::size_t bytes = 0;
  for (int level = 0; level < levelsOf(width, height); ++level) {
    bytes += static_cast<std::size_t>(width >> level) * static_cast<std::size_t>(height >> level) *
             kBytesPerPixel;
  }
  return bytes;
}

// Width and height of a body in pictures from the side, and its thickness as half a box.
glm::dvec2 shapeOf(const std::vector<ImpostorMoment>& poses) {
  glm::dvec2 sum(0.0);
  for (const ImpostorMoment& pose : poses) {
    sum += glm::dvec2(0.5 * static_cast<double>(pose.half.x + pose.half.z), pose.half.y);
  }
  return sum / static_cast<double>(poses.size());
}

void choose(ImpostorPlan& plan, int onHorizon, int shorter, const glm::dvec2& shape) {
  const bool tall = shape.y > 1.5 * shape.x;
  const bool wide = shape.x > 1.5 * shape.y;
  plan.onHorizon = onHorizon;
  plan.cellWidth = wide ? 2 * shorter : shorter;
  plan.cellHeight = tall ? 2 * shorter : shorter;
  plan.metersPerPixel =
      2.0 * std::max(shape.x / (plan.cellWidth - 2), shape.y / (plan.cellHeight - 2));
}

// The second term of ImpostorPlan::errorMeters.
double turnMeters(int onHorizon, const glm::dvec2& shape) {
  const double halfStep = std::max(std::numbers::pi / onHorizon, 0.5 * kRingStep);
  return 2.0 * std::sin(0.5 * halfStep) * shape.x;
}

// The cells of a budget. A tenth is left for those that fill the last row of a sheet.
std::size_t cellsWithin(std::size_t budgetBytes, const ImpostorPlan& plan) {
  return budgetBytes / 10 * 9 / cellBytes(plan.cellWidth, plan.cellHeight);
}

// Why no pictures fit into a budget, and which budget the smallest ones need.
Error doesNotFit(const std::vector<ClipMotion>& clips, const glm::dvec2& shape,
                 std::size_t budgetBytes, std::size_t mostCells) {
  const auto kilobytes = [](std::size_t bytes) { return (bytes + 1023) / 1024; };
  ImpostorPlan plan;
  choose(plan, kHorizons[0], kCellSides[0], shape);
  const std::size_t cells =
      sumOf(momentsFor(clips, kLongestStepMeters)) * impostorDirections(plan.onHorizon).size();
  const std::string what = fmt::format("pictures of far actors in {} clip{}", clips.size(),
                                       clips.size() == 1 ? "" : "s");
  if (cells > mostCells) {
    return {ErrorCode::LimitExceeded,
            fmt::format("{} are more than can be drawn; bake fewer clips", what)};
  }
  const std::size_t bytes = cells * cellBytes(plan.cellWidth, plan.cellHeight);
  return {ErrorCode::LimitExceeded,
          fmt::format("{} take at least {} KB, and {} KB are allowed; allow more, or bake fewer "
                      "clips",
                      what, kilobytes((bytes + 8) / 9 * 10), kilobytes(budgetBytes))};
}

void layOut(ImpostorPlan& plan) {
  const std::size_t cells = plan.moments.size();
  const double square = std::sqrt(static_cast<double>(cells) * plan.cellHeight / plan.cellWidth);
  plan.columns = std::max(1, static_cast<int>(std::ceil(square)));
  plan.rows = static_cast<int>((cells + static_cast<std::size_t>(plan.columns) - 1) /
                               static_cast<std::size_t>(plan.columns));
  plan.levels = levelsOf(plan.cellWidth, plan.cellHeight);
  plan.bytes = cellBytes(plan.cellWidth, plan.cellHeight) *
               static_cast<std::size_t>(plan.columns * plan.rows) * plan.directions.size();
}

void setMoments(ImpostorPlan& plan, const Atlas& atlas, const WeldedCharacter& character,
                const Outline& outline, const std::vector<ClipMotion>& clips,
                const std::vector<int>& counts) {
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const AtlasClip& clip = atlas.clips[c];
    const int first = static_cast<int>(plan.moments.size());
    for (int i = 0; i < counts[c]; ++i) {
      const int frame = frameOf(clips[c], i, counts[c]);
      plan.moments.push_back(momentOf(character, outline,
                                      matricesAt(atlas, static_cast<int>(c), frame),
                                      clip.firstFrame + frame));
      plan.moments.back().clip = static_cast<int>(c);
    }
    for (int frame = 0; frame < clip.frameCount; ++frame) {
      plan.momentOfFrame[static_cast<std::size_t>(clip.firstFrame + frame)] =
          first + nearestMoment(clips[c], frame, counts[c]);
    }
  }
}

}  // namespace

int directionsOnRing(int ring, int onHorizon) {
  CK_ASSERT(ring >= 0 && ring < kImpostorRings);
  return ring < 2 ? onHorizon : ring == 2 ? onHorizon / 2 : 1;
}

std::vector<ImpostorDirection> impostorDirections(int onHorizon) {
  std::vector<ImpostorDirection> directions;
  for (int ring = 0; ring < kImpostorRings; ++ring) {
    const int count = directionsOnRing(ring, onHorizon);
    for (int i = 0; i < count; ++i) {
      const double turn = 2.0 * std::numbers::pi * i / count;
      const double lift = kRingStep * ring;
      const glm::dvec3 right(std::cos(turn), 0.0, -std::sin(turn));
      const glm::dvec3 towards(std::cos(lift) * std::sin(turn), std::sin(lift),
                               std::cos(lift) * std::cos(turn));
      directions.push_back(
          {glm::vec3(right), glm::vec3(glm::cross(towards, right)), glm::vec3(towards)});
    }
  }
  return directions;
}

Result<ImpostorPlan> planImpostors(const Atlas& atlas, const WeldedCharacter& character,
                                   std::span<const IndexRun> runs, std::size_t budgetBytes,
                                   std::size_t mostCells) {
  const Outline outline = outlineOf(character, runs, atlas.joints.size());
  std::vector<ClipMotion> clips;
  std::vector<ImpostorMoment> firsts;
  for (int clip = 0; clip < static_cast<int>(atlas.clips.size()); ++clip) {
    clips.push_back(motionOf(atlas, clip, character, outline));
    firsts.push_back(momentOf(character, outline, matricesAt(atlas, clip, 0), 0));
  }
  const glm::dvec2 shape = shapeOf(firsts);
  ImpostorPlan best;
  std::vector<int> bestCounts;
  for (const int onHorizon : kHorizons) {
    const std::size_t directions = impostorDirections(onHorizon).size();
    for (const int shorter : kCellSides) {
      ImpostorPlan plan;
      choose(plan, onHorizon, shorter, shape);
      const std::size_t cells = std::min(cellsWithin(budgetBytes, plan), mostCells);
      auto counts = mostMoments(clips, cells / directions);
      if (!counts) continue;
      plan.errorMeters =
          0.5 * plan.metersPerPixel + turnMeters(onHorizon, shape) + halfStepMeters(clips, *counts);
      if (!bestCounts.empty() && plan.errorMeters >= best.errorMeters) continue;
      best = plan;
      bestCounts = std::move(*counts);
    }
  }
  if (bestCounts.empty()) {
    return tl::unexpected(doesNotFit(clips, shape, budgetBytes, mostCells));
  }
  best.directions = impostorDirections(best.onHorizon);
  best.momentOfFrame.resize(clipOfFrames(atlas).size());
  setMoments(best, atlas, character, outline, clips, bestCounts);
  layOut(best);
  return best;
}

}  // namespace ck::render
