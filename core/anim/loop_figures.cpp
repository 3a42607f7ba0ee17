#include "core/anim/loop_figures.h"

#include <algorithm>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/base/lanes.h"
#include "core/base/transform.h"

namespace ck {
namespace {

// Poses nearer than this need no search for the vertex that is farthest apart.
constexpr double kInvisibleMm = 0.01;

// The three points of a joint that moves no vertex.
SeenJoint pointsAround(const glm::dvec3& pivot, const glm::dmat4& rest) {
  constexpr double kMeters = 0.03;
  constexpr double kNoSize = 1e-9;
  const double scale = std::cbrt(std::abs(glm::determinant(glm::dmat3(rest))));
  const bool hasSize = std::isfinite(scale) && scale > kNoSize;
  SeenJoint joint{true, {pivot, pivot, pivot}};
  for (int axis = 0; axis < 3; ++axis) {
    joint.points[axis][axis] += hasSize ? kMeters / scale : kMeters;
  }
  return joint;
}

// Calls `each(joint, vertex)` with the vertices of all meshes and the joints that they follow most.
void forHeaviest(const Character& character, auto&& each) {
  for (const Mesh& mesh : character.meshes) {
    if (mesh.influences.empty()) continue;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const auto influences = influencesOf(mesh, v);
      if (influences.empty()) continue;
      each(static_cast<std::size_t>(influences.front().skinJoint), glm::dvec3(mesh.positions[v]));
    }
  }
}

// Gives each joint the vertex that is farthest from its pivot, the one farthest from that, and the
// one with which both make the largest triangle.
void findPoints(const Character& character, std::vector<SeenJoint>& joints) {
  std::vector<double> largest(joints.size());
  for (int point = 0; point < 3; ++point) {
    std::ranges::fill(largest, -1.0);
    forHeaviest(character, [&](std::size_t j, const glm::dvec3& at) {
      SeenJoint& joint = joints[j];
      const glm::dvec3 from =
          at - (point == 0 ? pivotOf(character.rig.skinJoints[j]) : joint.points[0]);
      const glm::dvec3 side = joint.points[1] - joint.points[0];
      const double size = point < 2 ? glm::dot(from, from)
                                    : glm::dot(glm::cross(from, side), glm::cross(from, side));
      if (size <= largest[j]) return;
      largest[j] = size;
      joint.isSeen = true;
      joint.points[point] = at;
    });
  }
}

double seenMm(const SeenJoint& joint, const glm::dmat4& moved) {
  double largest = 0.0;
  for (const glm::dvec3& point : joint.points) {
    largest = std::max(largest, glm::length(glm::dvec3(moved * glm::dvec4(point, 1.0))));
  }
  return 1000.0 * largest;
}

using namespace lanes;

// The difference of two skin matrices as four columns.
struct Columns {
  F4 at[4];
};

Columns columnsOf(const glm::dmat4& matrix) {
  Columns columns;
  for (int c = 0; c < 4; ++c) {
    for (int row = 0; row < 4; ++row) columns.at[c][row] = static_cast<float>(matrix[c][row]);
  }
  return columns;
}

std::vector<Columns> columnsOf(std::span<const glm::dmat4> a, std::span<const glm::dmat4> b) {
  std::vector<Columns> columns;
  columns.reserve(a.size());
  for (std::size_t j = 0; j < a.size(); ++j) {
    columns.push_back(columnsOf(b.empty() ? a[j] : a[j] - b[j]));
  }
  return columns;
}

// The weighted sum of the columns of a vertex's joints, times its position.
F4 blended(const std::vector<Columns>& joints, std::span<const Influence> influences,
           const glm::vec4& at) {
  F4 sum = {};
  for (const Influence& influence : influences) {
    const Columns& m = joints[static_cast<std::size_t>(influence.skinJoint)];
    sum += influence.weight * (m.at[0] * at.x + m.at[1] * at.y + m.at[2] * at.z + m.at[3] * at.w);
  }
  return sum;
}

// How far the morph targets of a mesh move its vertices from where they are bound.
std::vector<glm::vec3> morphedBy(const Mesh& mesh, std::span<const float> weights) {
  std::vector<glm::vec3> moved(mesh.positions.size(), glm::vec3(0.0f));
  for (std::size_t t = 0; t < mesh.morphTargets.size(); ++t) {
    const MorphTarget& target = mesh.morphTargets[t];
    if (weights[t] == 0.0f) continue;
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
      moved[target.vertices[i]] += weights[t] * target.positionDeltas[i];
    }
  }
  return moved;
}

// The largest distance that any vertex can have moved, in millimetres.
double mostApartMm(const SeenFigure& figure, const FigurePose& a, const FigurePose& b) {
  double most = 0.0;
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const glm::dmat4 moved = a.joints[j] - b.joints[j];
    double squares = 0.0;
    for (int c = 0; c < 3; ++c) squares += glm::dot(glm::dvec3(moved[c]), glm::dvec3(moved[c]));
    most = std::max(most, std::sqrt(squares) * figure.reach + glm::length(glm::dvec3(moved[3])));
  }
  return 1000.0 * most;
}

}  // namespace

SeenFigure::SeenFigure(const Character& character) {
  const Rig& rig = character.rig;
  const bool hasSkin = !rig.skinJoints.empty();
  joints.resize(hasSkin ? rig.skinJoints.size() : rig.joints.size());
  if (hasSkin) findPoints(character, joints);
  const bool showsNothing = std::ranges::none_of(joints, &SeenJoint::isSeen);
  const std::vector<glm::dmat4> globals = restMatrices(rig);
  const std::vector<glm::dmat4> rest = hasSkin ? skinMatrices(rig, globals) : globals;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!showsNothing && !(hasSkin && rig.skinJoints[j].isSocket)) continue;
    joints[j] = pointsAround(hasSkin ? pivotOf(rig.skinJoints[j]) : glm::dvec3(0.0), rest[j]);
  }
  for (const Mesh& mesh : character.meshes) {
    for (const glm::vec3& position : mesh.positions) {
      reach = std::max(reach, static_cast<double>(glm::length(position)));
    }
    for (const MorphTarget& target : mesh.morphTargets) {
      double most = 0.0;
      for (const glm::vec3& delta : target.positionDeltas) {
        most = std::max(most, static_cast<double>(glm::length(delta)));
      }
      morphs.push_back(1000.0 * most);
    }
  }
}

std::vector<float> morphWeightsAt(const Character& character, const Clip& clip, double seconds) {
  std::vector<float> all;
  for (std::size_t mesh = 0; mesh < character.meshes.size(); ++mesh) {
    if (character.meshes[mesh].morphTargets.empty()) continue;
    const auto own = sampleMorphWeights(character, clip, static_cast<int>(mesh), seconds);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

FigurePose figurePoseAt(const Character& character, const Clip& clip, double seconds) {
  const Rig& rig = character.rig;
  std::vector<glm::dmat4> globals = globalMatrices(rig, sampleClip(rig, clip, seconds));
  return {rig.skinJoints.empty() ? std::move(globals) : skinMatrices(rig, globals),
          morphWeightsAt(character, clip, seconds)};
}

void LoopSteps::add(const SeenFigure& figure, const FigurePose& from, const FigurePose& to) {
  double most = 0.0;
  for (std::size_t j = 0; j < from.joints.size(); ++j) {
    if (!figure.joints[j].isSeen) continue;
    const double mm = seenMm(figure.joints[j], to.joints[j] - from.joints[j]);
    joints[j] += mm;
    most = std::max(most, mm);
  }
  largest += most;
  jointSteps += from.joints.empty() ? 0 : 1;
  most = 0.0;
  for (std::size_t m = 0; m < from.weights.size(); ++m) {
    const double mm =
        std::abs(static_cast<double>(to.weights[m] - from.weights[m])) * figure.morphs[m];
    morphs[m] += mm;
    most = std::max(most, mm);
  }
  largestMorph += most;
  morphSteps += from.weights.empty() ? 0 : 1;
}

double seenDistanceMm(const SeenFigure& figure, const FigurePose& a, const FigurePose& b) {
  LoopSteps step(figure);
  step.add(figure, a, b);
  return std::max(step.largest, step.largestMorph);
}

VertexGap vertexGap(const Character& character, const SeenFigure& figure, const FigurePose& a,
                    const FigurePose& b) {
  VertexGap gap;
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const bool isSocket =
        j < character.rig.skinJoints.size() && character.rig.skinJoints[j].isSocket;
    if (!figure.joints[j].isSeen || !(isSocket || figure.reach == 0.0)) continue;
    const double mm = seenMm(figure.joints[j], a.joints[j] - b.joints[j]);
    if (mm <= gap.mm && gap.joint >= 0) continue;
    gap = {mm, -1, static_cast<int>(j)};
  }
  const double mostMm = mostApartMm(figure, a, b);
  if (a.weights == b.weights && mostMm <= kInvisibleMm) {
    return figure.reach == 0.0 ? gap : VertexGap{mostMm, 0, -1};
  }
  if (character.rig.skinJoints.empty()) return gap;
  const std::vector<Columns> moved = columnsOf(a.joints, b.joints);
  const std::vector<Columns> later = columnsOf(a.joints, {});
  std::size_t firstWeight = 0;
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    const Mesh& mesh = character.meshes[m];
    const std::size_t count = mesh.morphTargets.size();
    std::vector<float> change(count);
    const auto weights = std::span(b.weights).subspan(firstWeight, count);
    for (std::size_t t = 0; t < count; ++t) change[t] = a.weights[firstWeight + t] - weights[t];
    firstWeight += count;
    const bool isMorphed = count > 0;
    const auto before = isMorphed ? morphedBy(mesh, weights) : std::vector<glm::vec3>();
    const auto changed = isMorphed ? morphedBy(mesh, change) : before;
    float most = -1.0f;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const auto influences = influencesOf(mesh, v);
      const glm::vec3 at = isMorphed ? mesh.positions[v] + before[v] : mesh.positions[v];
      F4 apart = blended(moved, influences, glm::vec4(at, 1.0f));
      if (isMorphed) apart += blended(later, influences, glm::vec4(changed[v], 0.0f));
      const F4 squares = apart * apart;
      most = std::max(most, squares[0] + squares[1] + squares[2]);
    }
    const double mm = 1000.0 * std::sqrt(static_cast<double>(most));
    if (most >= 0.0f && (mm > gap.mm || (gap.mesh < 0 && gap.joint < 0))) {
      gap = {mm, static_cast<int>(m), -1};
    }
  }
  return gap;
}

namespace {

// The part of a joint: the largest distances of its points.
LoopPart partOf(const SeenJoint& joint, const LoopEnds& ends, std::size_t j) {
  const glm::dmat4 firstStep = ends.second.joints[j] - ends.first.joints[j];
  const glm::dmat4 lastStep = ends.last.joints[j] - ends.beforeLast.joints[j];
  LoopPart part;
  part.seamMm = seenMm(joint, ends.first.joints[j] - ends.last.joints[j]);
  part.speedMm = std::max(seenMm(joint, firstStep), seenMm(joint, lastStep));
  part.throughMm = seenMm(joint, 0.5 * (firstStep + lastStep));
  return part;
}

LoopPart partOf(double reachMm, const LoopEnds& ends, std::size_t morph) {
  const auto at = [morph](const FigurePose& pose) {
    return static_cast<double>(pose.weights[morph]);
  };
  const double firstStep = reachMm * (at(ends.second) - at(ends.first));
  const double lastStep = reachMm * (at(ends.last) - at(ends.beforeLast));
  LoopPart part;
  part.seamMm = reachMm * std::abs(at(ends.first) - at(ends.last));
  part.speedMm = std::max(std::abs(firstStep), std::abs(lastStep));
  part.throughMm = 0.5 * std::abs(firstStep + lastStep);
  return part;
}

}  // namespace

LoopFigures loopFigures(const Character& character, const SeenFigure& figure, const LoopEnds& ends,
                        const LoopSteps& steps, std::size_t keyCount, double stepSeconds) {
  LoopFigures figures;
  figures.keyCount = keyCount;
  figures.stepSeconds = stepSeconds;
  const VertexGap gap = vertexGap(character, figure, ends.last, ends.first);
  figures.seamMm = gap.mm;
  figures.seamMesh = gap.mesh;
  figures.seamJoint = gap.joint;
  const auto jointSteps = static_cast<double>(std::max<std::size_t>(1, steps.jointSteps));
  const auto morphSteps = static_cast<double>(std::max<std::size_t>(1, steps.morphSteps));
  for (std::size_t j = 0; j < figure.joints.size(); ++j) {
    if (!figure.joints[j].isSeen) continue;
    figures.parts.push_back(partOf(figure.joints[j], ends, j));
    figures.parts.back().stepMm = steps.joints[j] / jointSteps;
  }
  const double jointsMm = largestSeamMm(figures.parts);
  for (std::size_t m = 0; m < ends.first.weights.size(); ++m) {
    figures.parts.push_back(partOf(figure.morphs[m], ends, m));
    figures.parts.back().stepMm = steps.morphs[m] / morphSteps;
  }
  // The kind of parts that is farthest from closing is compared with its own steps: a face does not
  // move as far as legs do.
  const double stepMm = steps.largest / jointSteps;
  const double morphStepMm = steps.largestMorph / morphSteps;
  const double allMm = largestSeamMm(figures.parts);
  figures.stepMm = allMm > jointsMm ? morphStepMm
                   : jointsMm > 0.0 ? stepMm
                                    : std::max(stepMm, morphStepMm);
  return figures;
}

void LoopMeter::add(const FigurePose& pose) {
  if (count_ == 0) ends_ = {pose, pose, pose, pose};
  if (count_ == 1) ends_.second = pose;
  if (count_ > 0) {
    steps_.add(figure_, ends_.last, pose);
    ends_.beforeLast = std::move(ends_.last);
    ends_.last = pose;
  }
  ++count_;
}

LoopFigures LoopMeter::figures(std::span<const double> times, const FigurePose* end) const {
  const double stepSeconds = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  if (end == nullptr) {
    return loopFigures(character_, figure_, ends_, steps_, times.size(), stepSeconds);
  }
  LoopEnds ends = ends_;
  ends.last = ends.beforeLast = *end;
  return loopFigures(character_, figure_, ends, steps_, times.size(), stepSeconds);
}

LoopFigures loopFigures(const Character& character, const Clip& clip) {
  const std::vector<double> times = keyTimes(clip);
  if (times.size() < 2) return {};
  const SeenFigure figure(character);
  LoopMeter meter(character, figure);
  for (const double time : times) meter.add(figurePoseAt(character, clip, time));
  return meter.figures(times);
}

}  // namespace ck
