#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/system/files.h"

// glTF files that tests put together.
namespace ck::test {

using Json = nlohmann::json;

inline constexpr int kByte = 5120;
inline constexpr int kUnsignedByte = 5121;
inline constexpr int kShort = 5122;
inline constexpr int kUnsignedShort = 5123;
inline constexpr int kFloat = 5126;

// Builds a GLB piece by piece.
class Glb {
 public:
  Json json = {{"asset", {{"version", "2.0"}}}, {"scene", 0}, {"scenes", {{{"nodes", {0}}}}}};

  template <class Number>
  int view(const std::vector<Number>& numbers) {
    while (data_.size() % 4 != 0) data_.push_back('\0');
    json["bufferViews"].push_back({{"buffer", 0},
                                   {"byteOffset", data_.size()},
                                   {"byteLength", numbers.size() * sizeof(Number)}});
    data_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
    return static_cast<int>(json["bufferViews"].size()) - 1;
  }

  template <class Number>
  int add(const std::vector<Number>& numbers, int componentType, const char* type, int rowLength,
          bool normalised = false) {
    const int bufferView = view(numbers);
    json["accessors"].push_back({{"bufferView", bufferView},
                                 {"componentType", componentType},
                                 {"type", type},
                                 {"normalized", normalised},
                                 {"count", numbers.size() / static_cast<std::size_t>(rowLength)}});
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  // Rows of `rowLength` numbers, padded to multiples of four bytes with a stride that says so.
  template <class Number>
  int addPadded(const std::vector<double>& numbers, int componentType, const char* type,
                std::size_t rowLength) {
    const std::size_t stride = (rowLength * sizeof(Number) + 3) / 4 * 4;
    const std::size_t rowCount = numbers.size() / rowLength;
    std::vector<Number> padded(rowCount * stride / sizeof(Number), Number{99});
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      padded[i / rowLength * stride / sizeof(Number) + i % rowLength] =
          static_cast<Number>(numbers[i]);
    }
    const int bufferView = view(padded);
    json["bufferViews"][static_cast<std::size_t>(bufferView)]["byteStride"] = stride;
    json["accessors"].push_back({{"bufferView", bufferView},
                                 {"componentType", componentType},
                                 {"type", type},
                                 {"count", rowCount}});
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  int floats(const std::vector<float>& numbers, const char* type, int rowLength) {
    return add(numbers, kFloat, type, rowLength);
  }

  // Writes JSON with its bytes in a file of that name, to which it refers by a URI.
  std::filesystem::path writeApart(const std::filesystem::path& path, const char* file,
                                   const char* uri) {
    json["buffers"] = {{{"byteLength", data_.size()}, {"uri", uri}}};
    const std::string text = json.dump();
    for (const auto& [where, content] :
         {std::pair(path, &text), std::pair(path.parent_path() / file, &std::as_const(data_))}) {
      const auto* first = reinterpret_cast<const std::byte*>(content->data());
      if (!writeFileAtomically(where, {first, content->size()})) std::abort();
    }
    return path;
  }

  std::filesystem::path write(const std::filesystem::path& path) {
    while (data_.size() % 4 != 0) data_.push_back('\0');
    json["buffers"] = Json::array({{{"byteLength", data_.size()}}});
    std::string text = json.dump();
    while (text.size() % 4 != 0) text += ' ';
    std::string glb = "glTF";
    const auto number = [&glb](std::size_t value) {
      const auto word = static_cast<std::uint32_t>(value);
      glb.append(reinterpret_cast<const char*>(&word), 4);
    };
    number(2);
    number(12 + 8 + text.size() + 8 + data_.size());
    number(text.size());
    glb += "JSON" + text;
    number(data_.size());
    glb += std::string("BIN\0", 4) + data_;
    const auto* first = reinterpret_cast<const std::byte*>(glb.data());
    if (!writeFileAtomically(path, {first, glb.size()})) std::abort();
    return path;
  }

 private:
  std::string data_;
};

// A quad in the xy plane at one node, without a skin.
inline Glb quad() {
  Glb glb;
  const int positions = glb.floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, "VEC3", 3);
  const int indices = glb.add<std::uint16_t>({0, 1, 2, 2, 1, 3}, kUnsignedShort, "SCALAR", 1);
  glb.json["meshes"] = {
      {{"name", "QuadMesh"},
       {"primitives", {{{"attributes", {{"POSITION", positions}}}, {"indices", indices}}}}}};
  glb.json["nodes"] = {{{"name", "Quad"}, {"mesh", 0}}};
  return glb;
}

inline Json& primitive(Glb& glb) {
  return glb.json["meshes"][0]["primitives"][0];
}

}  // namespace ck::test
