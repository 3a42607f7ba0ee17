#include "app/bench/bench_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "app/bench/bench_frames.h"
#include "app/commands/scene_stage.h"
#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/base/transform.h"
#include "render/skinning/method_offers.h"

namespace ck::cli {
namespace {

// One measurement: one quantity is varied, the others are at their middle values.
struct GrowthPoint {
  std::string axis;
  int along = 0;
  int actors = 100;
  int joints = 40;
  int vertices = 2000;  // rounded to rings of 8; twice as many triangles; four influences each
  int clips = 4;
  int frames = 0;  // per clip; 0: its keys
};

constexpr int kKeys = 31;  // per clip, 30 per second; all joints rotate
constexpr int kLimbs = 5;
constexpr int kCorners = 8;  // vertices per ring
constexpr double kLimbMeters = 0.9;

// Joints are assigned to the limbs in turn, each further out.
int parentOf(int joint) {
  return joint == 0 ? -1 : std::max(0, joint - kLimbs);
}

Rig growthRig(int joints) {
  Rig rig;
  const double step = kLimbMeters / std::max(1, (joints - 1 + kLimbs - 1) / kLimbs);
  for (int j = 0; j < joints; ++j) {
    Joint joint;
    joint.name = fmt::format("joint{}", j);
    joint.parent = parentOf(j);
    joint.rest.translation = {0.0, j == 0 ? kLimbMeters : step, 0.0};
    if (j >= 1 && j <= kLimbs) {
      const double angle = glm::two_pi<double>() * j / kLimbs;
      joint.rest.rotation = glm::angleAxis(angle, glm::dvec3(0.0, 0.0, 1.0));
    }
    rig.joints.push_back(joint);
  }
  const std::vector<glm::dmat4> rest = restMatrices(rig);
  for (int j = 0; j < joints; ++j) {
    rig.skinJoints.push_back({j, affineInverse(rest[static_cast<std::size_t>(j)])});
  }
  return rig;
}

void addVertex(const Rig& rig, const std::vector<glm::dmat4>& rest, int vertex, int count,
               Mesh& mesh) {
  const int joints = static_cast<int>(rig.joints.size());
  const int ring = vertex / kCorners;
  const int rings = std::max(1, count / kCorners);
  const int joint = std::min(joints - 1, ring * joints / rings);
  const double angle = glm::two_pi<double>() * (vertex % kCorners) / kCorners;
  const double along = 0.2 * static_cast<double>(ring * joints % rings) / rings;
  const glm::dvec4 out(std::cos(angle), 0.0, std::sin(angle), 0.0);
  const glm::dmat4& place = rest[static_cast<std::size_t>(joint)];
  mesh.positions.emplace_back(glm::dvec3(place * (0.06 * out + glm::dvec4(0.0, along, 0.0, 1.0))));
  mesh.normals.emplace_back(glm::normalize(glm::dvec3(place * out)));
  // Four consecutive joints; the nearest one has the largest weight.
  constexpr float kWeights[] = {0.4f, 0.3f, 0.2f, 0.1f};
  const int pulling = std::min(joints, 4);
  for (int i = 0; i < pulling; ++i) {
    const float weight = i + 1 < pulling ? kWeights[i] : 1.0f;
    float left = 1.0f;
    for (int k = 0; k < i; ++k) left -= kWeights[k];
    mesh.influences.push_back({(joint + i) % joints, std::min(weight, left)});
  }
  mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
}

Mesh growthMesh(const Rig& rig, int vertices) {
  Mesh mesh;
  mesh.name = "Body";
  mesh.influenceStarts.push_back(0);
  const std::vector<glm::dmat4> rest = restMatrices(rig);
  for (int v = 0; v < vertices; ++v) addVertex(rig, rest, v, vertices, mesh);
  const auto count = static_cast<std::uint32_t>(vertices);
  for (std::uint32_t v = 0; v + kCorners < count; ++v) {
    const std::uint32_t next = v % kCorners + 1 < kCorners ? v + 1 : v + 1 - kCorners;
    mesh.indices.insert(mesh.indices.end(),
                        {v, v + kCorners, next, next, v + kCorners, next + kCorners});
  }
  return mesh;
}

Clip growthClip(const Rig& rig, int number) {
  constexpr double kHz = 30.0;
  Clip clip;
  clip.name = fmt::format("Clip {}", number);
  clip.durationSeconds = (kKeys - 1) / kHz;
  for (int j = 0; j < static_cast<int>(rig.joints.size()); ++j) {
    JointTracks tracks;
    tracks.joint = j;
    const Trs& rest = rig.joints[static_cast<std::size_t>(j)].rest;
    for (int key = 0; key < kKeys; ++key) {
      const double turn = glm::two_pi<double>() * key / (kKeys - 1);
      const double angle = 0.25 * std::sin(turn + 0.7 * j + number);
      const glm::dquat rotation =
          rest.rotation * glm::angleAxis(angle, glm::normalize(glm::dvec3(1.0, 0.2 * number, 0.4)));
      tracks.rotation.times.push_back(key / kHz);
      tracks.rotation.values.push_back(glm::normalize(glm::quat(rotation)));
    }
    tracks.rotation.values.back() = tracks.rotation.values.front();
    clip.jointTracks.push_back(std::move(tracks));
  }
  return clip;
}

// A body of five swinging limbs, 1.8 m high. The result is deterministic.
Character growthCharacter(const GrowthPoint& shape) {
  Character character;
  character.name = "growth";
  character.rig = growthRig(shape.joints);
  // Whole rings, so that all vertices of the triangles exist.
  const int vertices = std::max(2 * kCorners, shape.vertices - shape.vertices % kCorners);
  character.meshes.push_back(growthMesh(character.rig, vertices));
  for (int clip = 0; clip < shape.clips; ++clip) {
    character.clips.push_back(growthClip(character.rig, clip));
  }
  character.source.format = "built in code";
  return character;
}

std::vector<GrowthPoint> growthPoints(bool quick) {
  struct Axis {
    const char* name;
    int GrowthPoint::*varied;
    std::vector<int> values;
  };
  const Axis axes[] = {{"actors", &GrowthPoint::actors, {25, 50, 100, 200, 400, 800}},
                       {"joints", &GrowthPoint::joints, {10, 20, 40, 80, 160}},
                       {"vertices", &GrowthPoint::vertices, {500, 1000, 2000, 4000, 8000}},
                       {"clips", &GrowthPoint::clips, {1, 2, 4, 8, 16}},
                       {"atlas frames", &GrowthPoint::frames, {16, 64, 256, 1024, 4096}}};
  std::vector<GrowthPoint> points;
  for (const Axis& axis : axes) {
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      // The two ends and the middle determine the slope.
      const bool kept = i == 0 || i == 2 || i == 4;
      if (quick && !kept) continue;
      points.push_back({.axis = axis.name, .along = axis.values[i]});
      points.back().*axis.varied = axis.values[i];
    }
  }
  return points;
}

Result<AtlasPtr> bakedAs(const Character& character, const GrowthPoint& point, Encoding encoding,
                         const JobContext& job) {
  BakeSettings settings;
  settings.encoding = encoding;
  settings.frames = point.frames;
  auto baked = bake(character, settings, job);
  if (!baked) return tl::unexpected(baked.error());
  return std::make_shared<const Atlas>(std::move(baked->atlas));
}

// Only the variant that needs an atlas of matrices.
std::vector<FrameCase> casesOf(Encoding encoding) {
  const std::string name = "interpolated, 4 influences";
  if (encoding == Encoding::M16) return {frameCase(Method::Matrix, name)};
  std::vector<FrameCase> cases = {bookCase(name)};
  for (const MethodInfo& info : kMethods) {
    if (render::whyNotDrawn(info.method, encoding).empty()) {
      cases.push_back(frameCase(info.method, name));
    }
  }
  return cases;
}

Result<void> measurePoint(BenchRun& run, render::CrowdRenderer& renderer,
                          const GrowthPoint& point) {
  const auto character = std::make_shared<const Character>(growthCharacter(point));
  if (auto ok = renderer.setCharacter(character); !ok) return ok;
  for (const Encoding encoding : {Encoding::P16, Encoding::M16}) {
    const auto atlas = bakedAs(*character, point, encoding, run.job);
    if (!atlas) return tl::unexpected(atlas.error());
    if (auto ok = renderer.setAtlas(*atlas); !ok) return ok;
    const auto clips = crowdClips(**atlas, clipNamesOf(**atlas));
    Crowd crowd(benchActors(run, point.actors, *character, clips), clips);
    const render::Camera camera = benchCamera(crowd, character);
    for (const FrameCase& one : casesOf(encoding)) {
      auto row = measureFrames(renderer, crowd, camera, one, run.job);
      if (!row) return tl::unexpected(row.error());
      row->name = "growth";
      row->axis = point.axis;
      row->along = point.along;
      row->encoding = std::string(encodingInfo(encoding).name);
      row->atlasBytes = (*atlas)->texels.size();
      run.result.rows.push_back(std::move(*row));
    }
  }
  return {};
}

}  // namespace

Result<void> benchGrowth(BenchRun& run) {
  const auto drawing = makeRenderer(run.result);
  if (!drawing) return tl::unexpected(drawing.error());
  for (const GrowthPoint& point : growthPoints(run.quick)) {
    if (auto ok = measurePoint(run, *drawing->renderer, point); !ok) return ok;
  }
  return {};
}

}  // namespace ck::cli
