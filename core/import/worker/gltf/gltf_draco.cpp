#include "core/import/worker/gltf/gltf_draco.h"

#include <draco/compression/decode.h>
#include <fmt/format.h>
#include <tiny_gltf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr const char* kExtension = "KHR_draco_mesh_compression";
constexpr std::size_t kMostVertices = 20'000'000;
constexpr std::size_t kMostTriangles = 40'000'000;

using MeshPointer = std::shared_ptr<const draco::Mesh>;

Result<MeshPointer> decoded(const tinygltf::Model& model, int viewIndex, const std::string& name) {
  const auto bad = [&name](const char* what) {
    return fail(ErrorCode::InvalidInput, fmt::format("mesh '{}': its packed form {}", name, what));
  };
  if (viewIndex < 0 || static_cast<std::size_t>(viewIndex) >= model.bufferViews.size()) {
    return bad("lies in a buffer view that is not there");
  }
  const tinygltf::BufferView& view = model.bufferViews[static_cast<std::size_t>(viewIndex)];
  if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model.buffers.size()) {
    return bad("lies in a buffer that is not there");
  }
  const auto& data = model.buffers[static_cast<std::size_t>(view.buffer)].data;
  if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset) {
    return bad("ends behind its buffer");
  }
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(data.data() + view.byteOffset), view.byteLength);
  const auto type = draco::Decoder::GetEncodedGeometryType(&buffer);
  if (!type.ok()) return bad("is no Draco data");
  if (type.value() != draco::TRIANGULAR_MESH) return bad("holds points and no triangles");
  draco::Decoder decoder;
  auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
  if (!mesh.ok()) return bad("is damaged; export the file again");
  MeshPointer result = std::move(mesh).value();
  if (result->num_points() > kMostVertices || result->num_faces() > kMostTriangles) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("mesh '{}': its packed form has {} vertices and {} triangles, more "
                            "than the limit",
                            name, result->num_points(), result->num_faces()));
  }
  return result;
}

// Adds an accessor over bytes of its own, with the types of `like`; returns its index.
int addAccessor(tinygltf::Model& model, const tinygltf::Accessor& like, std::size_t count,
                std::vector<unsigned char> bytes) {
  tinygltf::BufferView view;
  view.buffer = static_cast<int>(model.buffers.size());
  view.byteLength = bytes.size();
  model.buffers.emplace_back();
  model.buffers.back().data = std::move(bytes);
  tinygltf::Accessor accessor;
  accessor.bufferView = static_cast<int>(model.bufferViews.size());
  accessor.componentType = like.componentType;
  accessor.type = like.type;
  accessor.normalized = like.normalized;
  accessor.count = count;
  model.bufferViews.push_back(std::move(view));
  model.accessors.push_back(std::move(accessor));
  return static_cast<int>(model.accessors.size()) - 1;
}

// The attribute of every vertex, in rows of `components` numbers; empty if one cannot be had.
template <class Number>
std::vector<unsigned char> rowsOf(const draco::Mesh& mesh, const draco::PointAttribute& attribute,
                                  std::size_t components) {
  const std::size_t rowBytes = components * sizeof(Number);
  std::vector<unsigned char> bytes(mesh.num_points() * rowBytes);
  std::vector<Number> row(components);
  for (std::uint32_t point = 0; point < mesh.num_points(); ++point) {
    const draco::AttributeValueIndex value = attribute.mapped_index(draco::PointIndex(point));
    if (value.value() >= attribute.size() ||
        !attribute.ConvertValue<Number>(value, static_cast<std::int8_t>(components), row.data())) {
      return {};
    }
    std::memcpy(bytes.data() + point * rowBytes, row.data(), rowBytes);
  }
  return bytes;
}

std::vector<unsigned char> rowsOf(const draco::Mesh& mesh, const draco::PointAttribute& attribute,
                                  const tinygltf::Accessor& like) {
  const int components = tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(like.type));
  if (components <= 0 || components > 4) return {};
  const auto count = static_cast<std::size_t>(components);
  switch (like.componentType) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return rowsOf<std::int8_t>(mesh, attribute, count);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return rowsOf<std::uint8_t>(mesh, attribute, count);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return rowsOf<std::int16_t>(mesh, attribute, count);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return rowsOf<std::uint16_t>(mesh, attribute, count);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return rowsOf<std::uint32_t>(mesh, attribute, count);
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
      return rowsOf<float>(mesh, attribute, count);
    default:
      return {};
  }
}

int addTriangles(tinygltf::Model& model, const draco::Mesh& mesh) {
  std::vector<unsigned char> bytes(mesh.num_faces() * 3 * sizeof(std::uint32_t));
  for (std::uint32_t f = 0; f < mesh.num_faces(); ++f) {
    const draco::Mesh::Face& face = mesh.face(draco::FaceIndex(f));
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t vertex = face[static_cast<int>(corner)].value();
      std::memcpy(bytes.data() + (f * 3 + corner) * sizeof(vertex), &vertex, sizeof(vertex));
    }
  }
  tinygltf::Accessor like;
  like.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
  like.type = TINYGLTF_TYPE_SCALAR;
  return addAccessor(model, like, mesh.num_faces() * std::size_t{3}, std::move(bytes));
}

Result<void> unpack(tinygltf::Model& model, tinygltf::Primitive& primitive, const draco::Mesh& mesh,
                    const tinygltf::Value& attributes, const std::string& name) {
  for (const std::string& key : attributes.Keys()) {
    const auto bad = [&](std::string_view what) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("mesh '{}': its packed {} {}", name, cleanText(key, 40), what));
    };
    const auto named = primitive.attributes.find(key);
    const tinygltf::Value& id = attributes.Get(key);
    if (named == primitive.attributes.end() || named->second < 0 ||
        static_cast<std::size_t>(named->second) >= model.accessors.size() || !id.IsInt()) {
      return bad("has no accessor that says what it holds");
    }
    const draco::PointAttribute* attribute =
        mesh.GetAttributeByUniqueId(static_cast<std::uint32_t>(id.GetNumberAsInt()));
    if (attribute == nullptr) return bad("is not in the packed form");
    const tinygltf::Accessor like = model.accessors[static_cast<std::size_t>(named->second)];
    auto bytes = rowsOf(mesh, *attribute, like);
    if (bytes.empty() && mesh.num_points() > 0) return bad("does not fit its accessor");
    named->second = addAccessor(model, like, mesh.num_points(), std::move(bytes));
  }
  primitive.indices = addTriangles(model, mesh);
  primitive.mode = TINYGLTF_MODE_TRIANGLES;  // strips are packed as triangles
  return {};
}

}  // namespace

Result<void> unpackDracoMeshes(tinygltf::Model& model) {
  std::map<int, MeshPointer> known;
  for (tinygltf::Mesh& mesh : model.meshes) {
    const std::string name = cleanText(mesh.name);
    for (tinygltf::Primitive& primitive : mesh.primitives) {
      const auto found = primitive.extensions.find(kExtension);
      if (found == primitive.extensions.end()) continue;
      const tinygltf::Value& source = found->second;
      if (!source.IsObject() || !source.Has("bufferView") || !source.Get("bufferView").IsInt() ||
          !source.Has("attributes") || !source.Get("attributes").IsObject()) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("mesh '{}' does not say how it is packed", name));
      }
      const int view = source.Get("bufferView").GetNumberAsInt();
      const auto [place, isNew] = known.try_emplace(view);
      if (isNew) {
        auto result = decoded(model, view, name);
        if (!result) return tl::unexpected(result.error());
        place->second = std::move(*result);
      }
      if (auto ok = unpack(model, primitive, *place->second, source.Get("attributes"), name); !ok) {
        return ok;
      }
    }
  }
  return {};
}

}  // namespace ck::worker
