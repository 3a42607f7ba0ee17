#include "core/export/targets/glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <glm/gtc/type_ptr.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/base/transform.h"
#include "core/base/version.h"
#include "core/export/image_file.h"

namespace ck {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "accessors are little-endian");

// Constants of glTF 2.0, 3.6.2.2 and 5.11.
constexpr int kUnsignedByte = 5121;
constexpr int kUnsignedShort = 5123;
constexpr int kUnsignedInt = 5125;
constexpr int kFloat = 5126;
constexpr int kVertices = 34962;
constexpr int kIndices = 34963;
constexpr std::size_t kMostByteJoints = 256;

constexpr std::string_view kRootName = "crowdkiln_root";
// Leaves room for the joint in front of it: the fraction is a weight of at most this.
constexpr float kMostPacked = 0.999f;

template <class Value>
constexpr int componentOf() {
  if constexpr (std::is_same_v<Value, std::uint8_t>) return kUnsignedByte;
  if constexpr (std::is_same_v<Value, std::uint16_t>) return kUnsignedShort;
  if constexpr (std::is_same_v<Value, std::uint32_t>) return kUnsignedInt;
  return kFloat;
}

const char* typeOf(int width) {
  constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
  return width == 16 ? "MAT4" : kTypes[width - 1];
}

// The document and its binary part while they are written.
class Writer {
 public:
  // A buffer view with these values; `target` 0 for none. Returns its index.
  template <class Value>
  int view(std::span<const Value> values, int target = 0) {
    while (bytes_.size() % 4 != 0) bytes_.push_back(std::byte{0});
    const auto raw = std::as_bytes(values);
    Json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", raw.size()}};
    if (target != 0) view["target"] = target;
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
    return add("bufferViews", std::move(view));
  }

  // An accessor of `width` values an element. Returns its index.
  template <class Value>
  int accessor(std::span<const Value> values, int width, int target = 0) {
    return add("accessors", {{"bufferView", view(values, target)},
                             {"componentType", componentOf<Value>()},
                             {"count", values.size() / static_cast<std::size_t>(width)},
                             {"type", typeOf(width)}});
  }

  // An accessor of floats with the smallest and largest values that POSITION needs.
  template <class Vector>
  int vectors(const std::vector<Vector>& values, bool withLimits = false) {
    constexpr int kWidth = Vector::length();
    const std::span numbers(glm::value_ptr(values.front()), values.size() * std::size_t(kWidth));
    const int index = accessor<float>(numbers, kWidth, kVertices);
    if (withLimits) writeLimits(json_["accessors"][std::size_t(index)], values);
    return index;
  }

  // Differences of some of `count` vertices, zero for the others.
  int sparse(const std::vector<std::uint32_t>& vertices, const std::vector<glm::vec3>& deltas,
             std::size_t count, bool withLimits) {
    Json accessor = {{"componentType", kFloat}, {"count", count}, {"type", "VEC3"}};
    if (!vertices.empty()) {
      const std::span numbers(glm::value_ptr(deltas.front()), deltas.size() * 3);
      const int indices = view<std::uint32_t>(vertices);
      accessor["sparse"] = {{"count", vertices.size()},
                            {"indices", {{"bufferView", indices}, {"componentType", kUnsignedInt}}},
                            {"values", {{"bufferView", view<float>(numbers)}}}};
    }
    if (withLimits) {
      std::vector<glm::vec3> all = deltas;
      if (vertices.size() < count) all.emplace_back(0.0f);
      writeLimits(accessor, all);
    }
    return add("accessors", std::move(accessor));
  }

  // Appends to a list of the document. Returns the index.
  int add(const char* list, Json entry) {
    json_[list].push_back(std::move(entry));
    return static_cast<int>(json_[list].size()) - 1;
  }
  Json& operator[](const char* key) { return json_[key]; }

  Result<std::vector<std::byte>> finish() {
    while (bytes_.size() % 4 != 0) bytes_.push_back(std::byte{0});
    json_["buffers"] = Json::array({{{"byteLength", bytes_.size()}}});
    std::string text = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.append((4 - text.size() % 4) % 4, ' ');
    const std::size_t total = 12 + 8 + text.size() + 8 + bytes_.size();
    if (total > std::numeric_limits<std::uint32_t>::max()) {
      return fail(ErrorCode::LimitExceeded,
                  "the mesh has more than the 4 GB that a GLB can hold; export fewer meshes");
    }
    std::vector<std::byte> out;
    out.reserve(total);
    const auto word = [&out](std::size_t value) {
      const auto whole = static_cast<std::uint32_t>(value);
      const auto raw = std::as_bytes(std::span(&whole, 1));
      out.insert(out.end(), raw.begin(), raw.end());
    };
    word(0x46546C67);  // "glTF"
    word(2);
    word(total);
    word(text.size());
    word(0x4E4F534A);  // "JSON"
    const auto letters = std::as_bytes(std::span(text));
    out.insert(out.end(), letters.begin(), letters.end());
    word(bytes_.size());
    word(0x004E4942);  // "BIN"
    out.insert(out.end(), bytes_.begin(), bytes_.end());
    return out;
  }

 private:
  template <class Vector>
  static void writeLimits(Json& accessor, const std::vector<Vector>& values) {
    Vector low = values.front();
    Vector high = values.front();
    for (const Vector& value : values) {
      low = glm::min(low, value);
      high = glm::max(high, value);
    }
    const auto numbers = [](const Vector& v) {
      return std::vector<float>(glm::value_ptr(v), glm::value_ptr(v) + Vector::length());
    };
    accessor["min"] = numbers(low);
    accessor["max"] = numbers(high);
  }

  Json json_;
  std::vector<std::byte> bytes_;
};

void writeTransform(Json& node, const glm::dmat4& local) {
  constexpr double kShear = 1e-6;
  const Decomposed parts = decompose(local);
  if (parts.shear > kShear) {
    const glm::mat4 matrix(local);
    const float* first = glm::value_ptr(matrix);
    node["matrix"] = std::vector<float>(first, first + 16);
    return;
  }
  const glm::vec3 place(parts.trs.translation);
  const glm::quat turn(parts.trs.rotation);
  const glm::vec3 scale(parts.trs.scale);
  node["translation"] = Json::array({place.x, place.y, place.z});
  node["rotation"] = Json::array({turn.x, turn.y, turn.z, turn.w});
  if (scale != glm::vec3(1.0f)) node["scale"] = Json::array({scale.x, scale.y, scale.z});
}

// Nodes 0, 1, 2, ... are the joints; returns the index of the root node.
int writeJoints(Writer& out, const Atlas& atlas) {
  const std::size_t count = atlas.joints.size();
  std::vector<glm::dmat4> binds;
  std::vector<std::vector<int>> children(count);
  std::vector<int> roots;
  for (std::size_t j = 0; j < count; ++j) {
    const AtlasJoint& joint = atlas.joints[j];
    binds.push_back(affineInverse(glm::dmat4(joint.inverseBind)));
    auto& siblings = joint.parent < 0 ? roots : children[std::size_t(joint.parent)];
    siblings.push_back(static_cast<int>(j));
  }
  for (std::size_t j = 0; j < count; ++j) {
    const AtlasJoint& joint = atlas.joints[j];
    Json node = {{"name", joint.name}};
    const glm::dmat4 above = joint.parent < 0
                                 ? glm::dmat4(1.0)
                                 : glm::dmat4(atlas.joints[std::size_t(joint.parent)].inverseBind);
    writeTransform(node, above * binds[j]);
    if (!children[j].empty()) node["children"] = children[j];
    out.add("nodes", std::move(node));
  }
  if (roots.size() == 1) return roots.front();
  return out.add("nodes", {{"name", kRootName}, {"children", roots}});
}

void writeSkin(Writer& out, const Atlas& atlas) {
  std::vector<int> joints(out["nodes"].size());
  std::vector<glm::mat4> inverseBinds(joints.size(), glm::mat4(1.0f));
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j] = static_cast<int>(j);
    if (j < atlas.joints.size()) inverseBinds[j] = atlas.joints[j].inverseBind;
    // Inverting may leave rounding errors there, which glTF forbids.
    for (int column = 0; column < 4; ++column)
      inverseBinds[j][column][3] = column == 3 ? 1.0f : 0.0f;
  }
  const std::span numbers(glm::value_ptr(inverseBinds.front()), inverseBinds.size() * 16);
  const int matrices = out.accessor<float>(numbers, 16);
  out.add("skins", {{"inverseBindMatrices", matrices}, {"joints", joints}});
}

Result<void> writeImages(Writer& out, const TargetInput& input, const JobContext& job) {
  if (auto made = input.pictures->make(imagesOf(input.character), job); !made) return made;
  for (const Image& image : input.character.images) {
    const std::span<const std::byte> file = input.pictures->of(image);
    const int view = out.view<std::byte>(file);
    out.add("images",
            {{"name", image.name}, {"mimeType", mimeOfImage(file)}, {"bufferView", view}});
  }
  return {};
}

// The entry of a list that equals this one, appended if there is none.
int found(Writer& out, const char* list, const Json& entry) {
  const Json& entries = out[list];
  const auto at = std::ranges::find(entries, entry);
  return at == entries.end() ? out.add(list, entry) : static_cast<int>(at - entries.begin());
}

void useExtension(Writer& out, const char* name) {
  found(out, "extensionsUsed", name);
}

int wrapOf(Wrap wrap) {
  constexpr int kRepeat = 10497;
  constexpr int kMirror = 33648;
  constexpr int kClamp = 33071;
  return wrap == Wrap::Repeat ? kRepeat : wrap == Wrap::Mirror ? kMirror : kClamp;
}

// The textureInfo of a map.
Json mapInfo(Writer& out, const SurfaceMap& map) {
  const Json wraps = {{"wrapS", wrapOf(map.wrapU)}, {"wrapT", wrapOf(map.wrapV)}};
  const int sampler = found(out, "samplers", wraps);
  Json info = {{"index", found(out, "textures", {{"sampler", sampler}, {"source", map.image}})}};
  if (map.uvSet != 0) info["texCoord"] = map.uvSet;
  Json place = Json::object();
  if (map.offset != glm::vec2(0.0f)) place["offset"] = Json::array({map.offset.x, map.offset.y});
  if (map.rotation != 0.0f) place["rotation"] = map.rotation;
  if (map.scale != glm::vec2(1.0f)) place["scale"] = Json::array({map.scale.x, map.scale.y});
  if (place.empty()) return info;
  useExtension(out, "KHR_texture_transform");
  info["extensions"] = {{"KHR_texture_transform", std::move(place)}};
  return info;
}

void writeEmission(Writer& out, const Material& material, Json& entry) {
  const glm::vec3 light = glm::max(material.emission, 0.0f);
  const float strength = std::max({light.x, light.y, light.z});
  if (strength <= 0.0f) return;
  // A factor is at most 1.
  const glm::vec3 factor = light / std::max(strength, 1.0f);
  entry["emissiveFactor"] = Json::array({factor.x, factor.y, factor.z});
  if (material.emissive) entry["emissiveTexture"] = mapInfo(out, material.emissive);
  if (strength <= 1.0f) return;
  useExtension(out, "KHR_materials_emissive_strength");
  entry["extensions"]["KHR_materials_emissive_strength"] = {{"emissiveStrength", strength}};
}

void writeMaterials(Writer& out, const Character& character) {
  for (const Material& material : character.materials) {
    const glm::vec4 color = glm::clamp(material.baseColor, 0.0f, 1.0f);
    Json surface = {{"baseColorFactor", Json::array({color.x, color.y, color.z, color.w})},
                    {"metallicFactor", material.metallic},
                    {"roughnessFactor", material.roughness}};
    if (material.base) surface["baseColorTexture"] = mapInfo(out, material.base);
    if (material.metalRoughness) {
      surface["metallicRoughnessTexture"] = mapInfo(out, material.metalRoughness);
    }
    Json entry = {{"name", material.name}, {"pbrMetallicRoughness", std::move(surface)}};
    if (material.normal) {
      entry["normalTexture"] = mapInfo(out, material.normal);
      entry["normalTexture"]["scale"] = material.normalScale;
    }
    if (material.alpha != AlphaMode::Opaque) {
      entry["alphaMode"] = material.alpha == AlphaMode::Mask ? "MASK" : "BLEND";
    }
    if (material.alpha == AlphaMode::Mask) entry["alphaCutoff"] = material.alphaCutoff;
    entry["doubleSided"] = material.doubleSided;
    writeEmission(out, material, entry);
    if (material.unlit) {
      useExtension(out, "KHR_materials_unlit");
      entry["extensions"]["KHR_materials_unlit"] = Json::object();
    }
    if (material.alphaIsTintMask) entry["extras"] = {{"tintMask", "baseColorTexture.a"}};
    out.add("materials", std::move(entry));
  }
}

// The second texture coordinates of a mesh; the first where its material asks for a second set that
// the mesh does not have.
const std::vector<glm::vec2>& secondUvsOf(const Mesh& mesh, const Character& character) {
  if (!mesh.secondUvs.empty() || mesh.material < 0) return mesh.secondUvs;
  const Material& material = character.materials[std::size_t(mesh.material)];
  const std::array maps = {&material.base, &material.normal, &material.metalRoughness,
                           &material.emissive};
  const bool asks =
      std::ranges::any_of(maps, [](const SurfaceMap* map) { return *map && map->uvSet == 1; });
  return asks ? mesh.uvs : mesh.secondUvs;
}

// Joints and weights of all vertices as they are drawn, four each.
struct DrawnInfluences {
  std::vector<glm::vec4> joints;
  std::vector<glm::vec4> weights;
};
DrawnInfluences drawnInfluences(const Mesh& mesh, int limit) {
  DrawnInfluences drawn;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const LimitedInfluences kept = limitInfluences(influencesOf(mesh, v), limit);
    glm::vec4& joints = drawn.joints.emplace_back(0.0f);
    glm::vec4& weights = drawn.weights.emplace_back(0.0f);
    for (int i = 0; i < 4; ++i) {
      weights[i] = kept.weights[std::size_t(i)];
      joints[i] = weights[i] > 0.0f ? static_cast<float>(kept.skinJoints[std::size_t(i)]) : 0.0f;
    }
  }
  return drawn;
}

template <class Index>
int jointAccessor(Writer& out, const std::vector<glm::vec4>& joints) {
  std::vector<Index> whole;
  whole.reserve(joints.size() * 4);
  for (const glm::vec4& four : joints) {
    for (int i = 0; i < 4; ++i) whole.push_back(static_cast<Index>(four[i]));
  }
  return out.accessor<Index>(whole, 4, kVertices);
}

void writeSkinUv(Writer& out, SkinUv skinUv, const DrawnInfluences& drawn, Json& attributes) {
  if (skinUv == SkinUv::None) return;
  const auto channel = [&](int number, const auto& pairOf) {
    std::vector<glm::vec2> uvs;
    for (std::size_t v = 0; v < drawn.joints.size(); ++v) uvs.push_back(pairOf(v));
    attributes[fmt::format("TEXCOORD_{}", number)] = out.vectors(uvs);
  };
  // Channels follow one another without a gap, as glTF requires.
  const int first = attributes.contains("TEXCOORD_0") ? 1 : 0;
  if (first == 0) channel(0, [](std::size_t) { return glm::vec2(0.0f); });
  if (!attributes.contains("TEXCOORD_1")) {
    channel(1, [](std::size_t) { return glm::vec2(0.0f); });
  }
  for (int half = 0; half < 2; ++half) {
    const int x = 2 * half;
    if (skinUv == SkinUv::Separate) {
      channel(2 + half,
              [&](std::size_t v) { return glm::vec2(drawn.joints[v][x], drawn.joints[v][x + 1]); });
      continue;
    }
    channel(2 + half, [&](std::size_t v) {
      return glm::vec2(drawn.joints[v][x] + kMostPacked * drawn.weights[v][x],
                       drawn.joints[v][x + 1] + kMostPacked * drawn.weights[v][x + 1]);
    });
  }
  if (skinUv == SkinUv::Packed) return;
  for (int half = 0; half < 2; ++half) {
    channel(4 + half, [&](std::size_t v) {
      return glm::vec2(drawn.weights[v][2 * half], drawn.weights[v][2 * half + 1]);
    });
  }
}

void writeMorphs(Writer& out, const Mesh& mesh, Json& primitive, Json& entry) {
  if (mesh.morphTargets.empty()) return;
  Json names = Json::array();
  const std::size_t count = mesh.positions.size();
  // All targets of a primitive must have the same attributes.
  const auto any = [&](auto member) {
    return std::ranges::any_of(
        mesh.morphTargets, [&](const MorphTarget& target) { return !(target.*member).empty(); });
  };
  const bool normals = any(&MorphTarget::normalDeltas);
  const bool tangents = any(&MorphTarget::tangentDeltas) && !mesh.tangents.empty();
  for (const MorphTarget& target : mesh.morphTargets) {
    Json deltas = {{"POSITION", out.sparse(target.vertices, target.positionDeltas, count, true)}};
    const auto optional = [&](const char* name, const std::vector<glm::vec3>& values) {
      const std::vector<std::uint32_t> none;
      deltas[name] = out.sparse(values.empty() ? none : target.vertices, values, count, false);
    };
    if (normals) optional("NORMAL", target.normalDeltas);
    if (tangents) optional("TANGENT", target.tangentDeltas);
    primitive["targets"].push_back(std::move(deltas));
    names.push_back(target.name);
  }
  entry["weights"] = mesh.defaultMorphWeights;
  entry["extras"] = {{"targetNames", std::move(names)}};
}

// Adds the mesh, and a node that shows it. Returns the node.
int writeMesh(Writer& out, const Mesh& mesh, const TargetInput& input) {
  Json attributes = {{"POSITION", out.vectors(mesh.positions, true)},
                     {"NORMAL", out.vectors(mesh.normals)}};
  if (!mesh.tangents.empty()) attributes["TANGENT"] = out.vectors(mesh.tangents);
  const std::vector<glm::vec2>& secondUvs = secondUvsOf(mesh, input.character);
  if (!mesh.uvs.empty()) {
    attributes["TEXCOORD_0"] = out.vectors(mesh.uvs);
  } else if (!secondUvs.empty()) {
    attributes["TEXCOORD_0"] = out.vectors(std::vector<glm::vec2>(secondUvs.size()));
  }
  if (!secondUvs.empty()) attributes["TEXCOORD_1"] = out.vectors(secondUvs);
  if (!mesh.colors.empty()) attributes["COLOR_0"] = out.vectors(mesh.colors);
  const DrawnInfluences drawn = drawnInfluences(mesh, input.atlas.recipe.influences);
  attributes["JOINTS_0"] = input.atlas.joints.size() <= kMostByteJoints
                               ? jointAccessor<std::uint8_t>(out, drawn.joints)
                               : jointAccessor<std::uint16_t>(out, drawn.joints);
  attributes["WEIGHTS_0"] = out.vectors(drawn.weights);
  writeSkinUv(out, input.skinUv, drawn, attributes);

  Json primitive = {{"attributes", std::move(attributes)}, {"mode", 4}};
  // The largest index of a type restarts primitives.
  if (mesh.positions.size() < std::numeric_limits<std::uint16_t>::max()) {
    const std::vector<std::uint16_t> narrow(mesh.indices.begin(), mesh.indices.end());
    primitive["indices"] = out.accessor<std::uint16_t>(narrow, 1, kIndices);
  } else {
    primitive["indices"] = out.accessor<std::uint32_t>(mesh.indices, 1, kIndices);
  }
  if (mesh.material >= 0) primitive["material"] = mesh.material;
  Json entry = {{"name", mesh.name}};
  writeMorphs(out, mesh, primitive, entry);
  entry["primitives"] = Json::array({std::move(primitive)});
  const int index = out.add("meshes", std::move(entry));
  return out.add("nodes", {{"name", mesh.name}, {"mesh", index}, {"skin", 0}});
}

}  // namespace

std::vector<const Image*> imagesOf(const Character& character) {
  std::vector<const Image*> images;
  for (const Image& image : character.images) images.push_back(&image);
  return images;
}

Result<std::vector<std::byte>> glbBytes(const TargetInput& input, const JobContext& job) {
  Writer out;
  out["asset"] = {{"version", "2.0"}, {"generator", fmt::format("Crowdkiln {}", version())}};
  if (!input.setId.empty()) out["asset"]["extras"]["setId"] = input.setId;
  out["scene"] = 0;
  const int root = writeJoints(out, input.atlas);
  writeSkin(out, input.atlas);
  if (auto ok = writeImages(out, input, job); !ok) return tl::unexpected(ok.error());
  writeMaterials(out, input.character);
  Json scene = {{"name", input.name}, {"nodes", Json::array({root})}};
  for (const Mesh& mesh : input.character.meshes) {
    // glTF has no empty accessors.
    if (mesh.positions.empty() || mesh.indices.empty()) continue;
    scene["nodes"].push_back(writeMesh(out, mesh, input));
  }
  out["scenes"] = Json::array({std::move(scene)});
  return out.finish();
}

Result<std::vector<TargetFile>> glbFiles(const TargetInput& input, const JobContext& job) {
  auto bytes = glbBytes(input, job);
  if (!bytes) return tl::unexpected(bytes.error());
  std::vector<TargetFile> files;
  files.push_back(
      {input.name + std::string(exportTarget(TargetKind::Glb).ending), std::move(*bytes)});
  return files;
}

}  // namespace ck
