#include "core/import/worker/gltf/gltf_instances.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <optional>

#include "core/base/transform.h"
#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/gltf/gltf_numbers.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostPlaces = 100'000;
constexpr double kFlat = 1e-24;  // of a volume; exporters hide places by a scale of 0

// One of the streams TRANSLATION, ROTATION and SCALE; empty without it.
Result<NumberRows> stream(const tinygltf::Model& model, const tinygltf::Value& attributes,
                          const char* name, std::size_t components) {
  if (!attributes.Has(name)) return NumberRows{};
  const tinygltf::Value& accessor = attributes.Get(name);
  if (!accessor.IsInt()) return fail(ErrorCode::InvalidInput, fmt::format("{} is no index", name));
  return readFloats(model, accessor.Get<int>(), components, kMostPlaces);
}

// Nothing if a number is not finite or the place flattens the mesh.
std::optional<glm::dmat4> placeOf(const NumberRows& translations, const NumberRows& rotations,
                                  const NumberRows& scales, std::size_t i) {
  Trs place;
  if (translations.rows > 0) place.translation = glm::make_vec3(translations.row(i));
  if (scales.rows > 0) place.scale = glm::make_vec3(scales.row(i));
  if (rotations.rows > 0) {
    const float* q = rotations.row(i);
    const glm::dquat turn(q[3], q[0], q[1], q[2]);
    const double length = glm::length(turn);
    if (!(length > 1e-6) || !std::isfinite(length)) return std::nullopt;
    place.rotation = turn / length;
  }
  const glm::dmat4 matrix = toMatrix(place);
  if (!isSane(matrix) || std::abs(glm::determinant(glm::dmat3(matrix))) < kFlat) {
    return std::nullopt;
  }
  return matrix;
}

}  // namespace

Result<std::vector<glm::dmat4>> gltfInstances(const tinygltf::Model& model,
                                              const tinygltf::Node& node, Notes& notes) {
  std::vector<glm::dmat4> places;
  const auto found = node.extensions.find("EXT_mesh_gpu_instancing");
  if (found == node.extensions.end()) return places;
  const auto unused = [&node, &notes](std::string_view why) {
    warn(notes, "InstancesUnused",
         fmt::format("'{}' is shown once, not at each of its places: {}", cleanText(node.name),
                     why));
    return std::vector<glm::dmat4>();
  };
  if (node.skin >= 0) return unused("its mesh is skinned; place its actors in the crowd instead");
  if (!found->second.IsObject() || !found->second.Has("attributes") ||
      !found->second.Get("attributes").IsObject()) {
    return unused("the file names none");
  }
  const tinygltf::Value& attributes = found->second.Get("attributes");
  std::vector<NumberRows> streams;
  for (const auto& [name, components] : {std::pair("TRANSLATION", std::size_t{3}),
                                         {"ROTATION", std::size_t{4}},
                                         {"SCALE", std::size_t{3}}}) {
    auto rows = stream(model, attributes, name, components);
    if (!rows && rows.error().code == ErrorCode::LimitExceeded) {
      return fail(ErrorCode::LimitExceeded, fmt::format("'{}' is placed more than {} times",
                                                        cleanText(node.name), kMostPlaces));
    }
    if (!rows) return unused(rows.error().message);
    streams.push_back(std::move(*rows));
  }
  const std::size_t count = std::max({streams[0].rows, streams[1].rows, streams[2].rows});
  for (const NumberRows& rows : streams) {
    if (rows.rows != 0 && rows.rows != count) return unused("its lists of places differ in length");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = placeOf(streams[0], streams[1], streams[2], i);
    if (place) places.push_back(*place);
  }
  if (places.empty()) return unused("none of them can be read");
  inform(notes, "MeshRepeated",
         fmt::format("'{}' has {} copies, which are one part of the character{}",
                     cleanText(node.name), places.size(),
                     places.size() == count ? std::string()
                                            : fmt::format("; {} places are flat or cannot be read",
                                                          count - places.size())));
  return places;
}

Mesh repeated(const Mesh& mesh, const std::vector<glm::dmat4>& places) {
  Mesh all;
  all.name = mesh.name;
  all.material = mesh.material;
  all.defaultMorphWeights = mesh.defaultMorphWeights;
  for (const MorphTarget& target : mesh.morphTargets) {
    MorphTarget& added = all.morphTargets.emplace_back();
    added.name = target.name;
    added.channel = target.channel;
  }
  all.influenceStarts = {0};
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const glm::dmat4& place : places) {
    const auto first = static_cast<std::uint32_t>(all.positions.size());
    const glm::dmat3 linear(place);
    // Normals turn by the inverse transpose, which keeps the side of a mirrored place.
    const double side = glm::determinant(linear) < 0.0 ? -1.0 : 1.0;
    const glm::dmat3 turned = glm::transpose(glm::inverse(linear));
    const auto unit = [](const glm::dvec3& v) { return glm::vec3(glm::normalize(v)); };
    for (const glm::vec3& p : mesh.positions) {
      all.positions.emplace_back(transformPoint(place, glm::dvec3(p)));
    }
    for (const glm::vec3& n : mesh.normals) all.normals.push_back(unit(turned * glm::dvec3(n)));
    for (const glm::vec4& t : mesh.tangents) {
      all.tangents.emplace_back(unit(linear * glm::dvec3(t)), t.w * static_cast<float>(side));
    }
    append(all.uvs, mesh.uvs);
    append(all.secondUvs, mesh.secondUvs);
    append(all.colors, mesh.colors);
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      all.indices.push_back(first + mesh.indices[i]);
      all.indices.push_back(first + mesh.indices[side < 0.0 ? i + 2 : i + 1]);
      all.indices.push_back(first + mesh.indices[side < 0.0 ? i + 1 : i + 2]);
    }
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      append(all.influences, influencesOf(mesh, v));
      all.influenceStarts.push_back(static_cast<std::uint32_t>(all.influences.size()));
    }
    for (std::size_t t = 0; t < mesh.morphTargets.size(); ++t) {
      const MorphTarget& target = mesh.morphTargets[t];
      MorphTarget& to = all.morphTargets[t];
      for (const std::uint32_t v : target.vertices) to.vertices.push_back(first + v);
      for (const glm::vec3& d : target.positionDeltas) {
        to.positionDeltas.emplace_back(linear * glm::dvec3(d));
      }
      // Differences are scaled as the unit vectors that they are added to.
      for (std::size_t i = 0; i < target.normalDeltas.size(); ++i) {
        const glm::dvec3 normal(mesh.normals[target.vertices[i]]);
        to.normalDeltas.emplace_back(turned * glm::dvec3(target.normalDeltas[i]) /
                                     glm::length(turned * normal));
      }
      for (std::size_t i = 0; i < target.tangentDeltas.size(); ++i) {
        const bool given = !mesh.tangents.empty();
        const double length =
            given ? glm::length(linear * glm::dvec3(mesh.tangents[target.vertices[i]])) : 1.0;
        to.tangentDeltas.emplace_back(linear * glm::dvec3(target.tangentDeltas[i]) / length);
      }
    }
  }
  return all;
}

}  // namespace ck::worker
