#include <benchmark/benchmark.h>

#include "core/base/lanes.h"
#include "core/import/import_process.h"
#include "core/skinning/fast_skinning.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"

namespace {

// `count` vertices of `influences` each, over 43 joints.
std::vector<ck::BindVertex> evenVertices(int count, int influences) {
  std::vector<ck::BindVertex> vertices(static_cast<std::size_t>(count));
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const float at = static_cast<float>(v) * 0.01f;
    vertices[v].position = {std::sin(at), at * 0.1f, std::cos(at)};
    vertices[v].normal = {std::sin(at), 0.0f, std::cos(at)};
    for (std::size_t i = 0; i < static_cast<std::size_t>(influences); ++i) {
      vertices[v].skinJoints[i] = static_cast<std::uint16_t>((v * 43 / vertices.size() + i) % 43);
      vertices[v].weights[i] = 1.0f / static_cast<float>(influences);
    }
  }
  return vertices;
}

// Vertices and normals on one core: range(0) influences of every vertex, or 0 for the numbers that
// the sample humanoid has, of range(1) poses.
void fastSkin(benchmark::State& state) {
  std::vector<ck::BindVertex> vertices = evenVertices(5718, static_cast<int>(state.range(0)));
  if (state.range(0) == 0) {
    ck::test::useBuiltImportWorker();
    const auto character = ck::importCharacter(ck::test::sampleHumanoid());
    if (!character) return state.SkipWithError(character.error().message.c_str());
    vertices.clear();
    for (const ck::Mesh& mesh : character->meshes) {
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const auto kept = ck::limitInfluences(ck::influencesOf(mesh, v), 4);
        ck::BindVertex vertex{mesh.positions[v], mesh.normals[v], {}, kept.weights};
        for (std::size_t i = 0; i < 4; ++i) {
          vertex.skinJoints[i] = static_cast<std::uint16_t>(kept.skinJoints[i]);
        }
        vertices.push_back(vertex);
      }
    }
  }
  const ck::FastSkin skin(vertices, 4);
  const auto poseCount = static_cast<std::size_t>(state.range(1));
  const std::vector<glm::vec4> rows(256 * 3, glm::vec4(0.5f, 0.25f, 0.125f, 1.0f));
  std::vector<ck::PackedVertex> out(poseCount * vertices.size());
  std::vector<ck::SkinPose> poses;
  for (std::size_t i = 0; i < poseCount; ++i) {
    poses.push_back({rows, {}, std::span(out).subspan(i * vertices.size(), vertices.size())});
  }
  ck::JobContext job;
  job.threadCount = 1;
  for (auto _ : state) {
    skin.skin(poses, job);
    benchmark::DoNotOptimize(out.data());
  }
  state.counters["vertices"] = benchmark::Counter(static_cast<double>(poseCount * vertices.size()),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}
// One pose as runtime libraries skin it: one vertex after the other, the columns of its four
// matrices added up in four lanes, its normal without translation and not of unit length.
void columnSkin(benchmark::State& state) {
  using ck::lanes::F4;
  const std::vector<ck::BindVertex> vertices = evenVertices(5718, 4);
  struct alignas(16) Columns {
    F4 at[4];
  };
  const std::vector<Columns> joints(256, Columns{{F4{0.5f, 0.1f, 0, 0}, F4{0, 0.5f, 0.2f, 0},
                                                  F4{0.1f, 0, 0.5f, 0}, F4{1, 2, 3, 1}}});
  std::vector<float> places(3 * vertices.size() + 1);
  std::vector<float> normals(3 * vertices.size() + 1);
  for (auto _ : state) {
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const ck::BindVertex& vertex = vertices[v];
      F4 m[4];
      for (std::size_t i = 0; i < 4; ++i) {
        const Columns& joint = joints[vertex.skinJoints[i]];
        for (int c = 0; c < 4; ++c) {
          const F4 part = joint.at[c] * vertex.weights[i];
          m[c] = i == 0 ? part : m[c] + part;
        }
      }
      const glm::vec3& p = vertex.position;
      const glm::vec3& n = vertex.normal;
      // The fourth lane is the next vertex's, which is written later.
      ck::lanes::store(&places[3 * v], m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3]);
      ck::lanes::store(&normals[3 * v], m[0] * n.x + m[1] * n.y + m[2] * n.z);
    }
    benchmark::DoNotOptimize(places.data());
    benchmark::DoNotOptimize(normals.data());
  }
  state.counters["vertices"] = benchmark::Counter(static_cast<double>(vertices.size()),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}
// The same as the write-up does it: the matrices of four joints are added up for every vertex,
// which is then transformed by the sum, its normal without translation.
void bookSkin(benchmark::State& state) {
  const std::vector<ck::BindVertex> vertices = evenVertices(5718, 4);
  constexpr std::size_t kPoses = 8;
  const std::vector<glm::mat4> joints(256, glm::mat4(0.5f));
  struct Skinned {
    glm::vec3 position;
    glm::vec3 normal;
  };
  std::vector<Skinned> out(kPoses * vertices.size());
  for (auto _ : state) {
    for (std::size_t pose = 0; pose < kPoses; ++pose) {
      Skinned* const skinned = out.data() + pose * vertices.size();
      for (std::size_t v = 0; v < vertices.size(); ++v) {
        const ck::BindVertex& vertex = vertices[v];
        glm::mat4 skin = joints[vertex.skinJoints[0]] * vertex.weights[0];
        for (std::size_t i = 1; i < 4; ++i)
          skin += joints[vertex.skinJoints[i]] * vertex.weights[i];
        skinned[v].position = glm::vec3(skin * glm::vec4(vertex.position, 1.0f));
        skinned[v].normal = glm::normalize(glm::vec3(skin * glm::vec4(vertex.normal, 0.0f)));
      }
    }
    benchmark::DoNotOptimize(out.data());
  }
  state.counters["vertices"] = benchmark::Counter(static_cast<double>(kPoses * vertices.size()),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(bookSkin)->MeasureProcessCPUTime();
BENCHMARK(columnSkin)->MeasureProcessCPUTime();
BENCHMARK(fastSkin)
    ->ArgNames({"influences", "poses"})
    ->ArgsProduct({{4, 3, 2, 1, 0}, {64}})
    ->ArgsProduct({{4, 0}, {1, 4, 5}})
    ->MeasureProcessCPUTime();

}  // namespace
