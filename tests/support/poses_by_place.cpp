#include "tests/support/poses_by_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"

namespace ck::test {
namespace {

glm::dvec3 placeOf(const nlohmann::json& v, std::size_t first = 0) {
  return {v.at(first).get<double>(), v.at(first + 2).get<double>(), -v.at(first + 1).get<double>()};
}

}  // namespace

void PosesByPlace::compare(const Character& character, const nlohmann::json& sample) {
  const std::string name = sample.at("clip").get<std::string>();
  auto clip = std::ranges::find_if(character.clips, [&name](const Clip& c) {
    return c.name == name || c.name.ends_with("|" + name) || name.ends_with("|" + c.name);
  });
  if (character.clips.size() == 1) clip = character.clips.begin();
  const double time = sample.at("time").get<double>();
  const bool onFrame = std::abs(time * 24.0 - std::round(time * 24.0)) < 1e-3;
  if (clip == character.clips.end() || !(onFrame || betweenFrames)) return;
  const auto globals = globalMatrices(character.rig, sampleClip(character.rig, *clip, time));
  for (const auto& joint : sample.at("joints")) {
    const auto ours = findJoint(character.rig, joint.at("name").get<std::string>());
    if (!ours) continue;
    const glm::dvec3 due =
        joint.contains("origin") ? placeOf(joint["origin"]) : placeOf(joint.at("matrix"), 12);
    const double off = glm::distance(glm::dvec3(globals[static_cast<std::size_t>(*ours)][3]), due);
    size = std::max(size, glm::length(due));
    ++jointsCompared;
    if (off <= joints) continue;
    joints = off;
    worst = fmt::format("{} at {} of {}", joint.at("name").get<std::string>(), time, name);
  }
  const auto skins = skinMatrices(character.rig, globals);
  std::vector<glm::dvec3> places;
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    const auto weights = sampleMorphWeights(character, *clip, static_cast<int>(m), time);
    const auto posed = skinMesh(character.meshes[m], skins, {.morphWeights = weights});
    places.insert(places.end(), posed.positions.begin(), posed.positions.end());
  }
  for (const auto& mesh : sample.at("meshes")) {
    for (const auto& position : mesh.at("positions")) {
      if (places.empty()) return;
      const glm::dvec3 due = placeOf(position);
      double nearest = 1e30;
      for (const glm::dvec3& place : places) {
        nearest = std::min(nearest, glm::distance(place, due));
      }
      size = std::max(size, glm::length(due));
      vertices = std::max(vertices, nearest);
      ++verticesCompared;
    }
  }
}

}  // namespace ck::test
