#include "core/import/worker/fbx/fbx_polygons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/import/worker/assembly/surface_maps.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostPoints = 20'000'000;
constexpr std::size_t kMostCorners = 60'000'000;

bool isZero(const glm::vec3& vector) {
  return vector == glm::vec3(0.0f);
}

// Where the entries of a layer (normals, texture coordinates, materials) belong.
class Layer {
 public:
  // `indexes` is the name of the array that numbers the entries; without it they are in order. The
  // materials of a mesh are numbers themselves, which `always` says.
  Layer(const FbxNode& node, const char* indexes, bool always = false)
      : indexes_(node.array(indexes)) {
    const auto text = [&node](const char* child) {
      const FbxNode* found = node.find(child);
      return found == nullptr ? std::string_view() : found->text(0);
    };
    const std::string_view mapping = text("MappingInformationType");
    how_ = mapping == "ByPolygonVertex"                      ? By::Corner
           : mapping == "ByVertice" || mapping == "ByVertex" ? By::Point
           : mapping == "ByPolygon"                          ? By::Polygon
           : mapping == "AllSame"                            ? By::Nothing
                                                             : By::Unknown;
    indexed_ = (always || text("ReferenceInformationType") != "Direct") && indexes_.size() > 0;
  }

  bool isKnown() const { return how_ != By::Unknown; }

  // The entry for a corner; negative or too large where the file has none.
  std::int64_t entry(std::size_t corner, std::size_t point, std::size_t polygon) const {
    const std::size_t place = how_ == By::Corner    ? corner
                              : how_ == By::Point   ? point
                              : how_ == By::Polygon ? polygon
                                                    : 0;
    if (!indexed_) return static_cast<std::int64_t>(place);
    return place < indexes_.size() ? indexes_.whole(place) : -1;
  }

 private:
  enum class By { Corner, Point, Polygon, Nothing, Unknown };
  FbxArray indexes_;
  By how_ = By::Unknown;
  bool indexed_ = false;
};

// The numbers that corners and polygons have in the file, where bad polygons count.
struct Kept {
  std::vector<std::uint32_t> fileCorners;   // one per corner
  std::vector<std::uint32_t> filePolygons;  // one per polygon
};

Result<void> readPoints(const FbxObject& geometry, FbxPolygons& mesh) {
  const FbxArray& vertices = geometry.node->array("Vertices");
  if (vertices.size() / 3 > kMostPoints) {
    return fail(ErrorCode::LimitExceeded, "there are more than 20 million vertices");
  }
  mesh.points.reserve(vertices.size() / 3);
  for (std::size_t v = 0; v < vertices.size() / 3; ++v) {
    const glm::dvec3 point(vertices.number(3 * v), vertices.number(3 * v + 1),
                           vertices.number(3 * v + 2));
    if (!(std::abs(point.x) < 1e15 && std::abs(point.y) < 1e15 && std::abs(point.z) < 1e15)) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("mesh '{}': the position of vertex {} is not a number",
                              cleanText(geometry.name), v));
    }
    mesh.points.push_back(point);
  }
  return {};
}

Result<Kept> readCorners(const FbxObject& geometry, FbxPolygons& mesh) {
  const FbxArray& indexes = geometry.node->array("PolygonVertexIndex");
  if (indexes.size() > kMostCorners) {
    return fail(ErrorCode::LimitExceeded, "a mesh has more than 60 million corners");
  }
  Kept kept;
  kept.fileCorners.reserve(indexes.size());
  mesh.corners.reserve(indexes.size());
  mesh.starts.push_back(0);
  std::uint32_t polygon = 0;
  bool good = true;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const std::int64_t raw = indexes.whole(i);
    const bool last = raw < 0;  // the last corner of a polygon is written as ~index
    const std::int64_t point = last ? ~raw : raw;
    good = good && point >= 0 && static_cast<std::size_t>(point) < mesh.points.size();
    mesh.corners.push_back(good ? static_cast<std::uint32_t>(point) : 0);
    kept.fileCorners.push_back(static_cast<std::uint32_t>(i));
    if (!last) continue;
    if (good && mesh.corners.size() >= mesh.starts.back() + std::size_t{3}) {
      mesh.starts.push_back(static_cast<std::uint32_t>(mesh.corners.size()));
      kept.filePolygons.push_back(polygon);
    } else {
      ++mesh.badPolygons;
      mesh.corners.resize(mesh.starts.back());
      kept.fileCorners.resize(mesh.starts.back());
    }
    good = true;
    ++polygon;
  }
  mesh.badPolygons += mesh.corners.size() > mesh.starts.back() ? 1 : 0;
  mesh.corners.resize(mesh.starts.back());
  kept.fileCorners.resize(mesh.starts.back());
  return kept;
}

// Reads as many numbers as Vector has for each corner, and what the file does not have as zeros.
// Empty if the layer is missing.
template <class Vector>
std::vector<Vector> perCorner(const FbxNode* node, const char* values, const char* indexes,
                              const FbxPolygons& mesh, const Kept& kept) {
  constexpr auto kWidth = static_cast<std::size_t>(Vector::length());
  std::vector<Vector> result;
  if (node == nullptr) return result;
  const Layer layer(*node, indexes);
  const FbxArray numbers = node->floats(values);
  if (!layer.isKnown() || numbers.size() < kWidth) return result;
  result.reserve(mesh.corners.size());
  for (std::size_t p = 0; p + 1 < mesh.starts.size(); ++p) {
    for (std::size_t c = mesh.starts[p]; c < mesh.starts[p + 1]; ++c) {
      const std::int64_t entry =
          layer.entry(kept.fileCorners[c], mesh.corners[c], kept.filePolygons[p]);
      const bool there = entry >= 0 && static_cast<std::size_t>(entry) < numbers.size() / kWidth;
      Vector& vector = result.emplace_back(0.0f);
      for (std::size_t i = 0; i < kWidth && there; ++i) {
        const double number = numbers.number(static_cast<std::size_t>(entry) * kWidth + i);
        vector[static_cast<int>(i)] = std::abs(number) < 1e15 ? static_cast<float>(number) : 0.0f;
      }
    }
  }
  return result;
}

// The same for vectors, as unit vectors. Those of no length are zero vectors; empty if all are.
std::vector<glm::vec3> directionsOf(const FbxNode* node, const char* values, const char* indexes,
                                    const FbxPolygons& mesh, const Kept& kept) {
  auto directions = perCorner<glm::vec3>(node, values, indexes, mesh, kept);
  for (glm::vec3& direction : directions) {
    const float length = glm::length(direction);
    const bool good = length > 1e-12f && std::isfinite(length);
    direction = good ? direction / length : glm::vec3(0.0f);
  }
  if (std::ranges::all_of(directions, isZero)) directions.clear();
  return directions;
}

// w is 1 where cross(normal, tangent) points along the binormal: v runs up in FBX.
std::vector<glm::vec4> tangentsOf(const FbxNode& geometry, const FbxPolygons& mesh,
                                  const Kept& kept) {
  const auto along =
      directionsOf(geometry.find("LayerElementTangent"), "Tangents", "TangentsIndex", mesh, kept);
  const auto across = directionsOf(geometry.find("LayerElementBinormal"), "Binormals",
                                   "BinormalsIndex", mesh, kept);
  if (along.size() != mesh.normals.size() || across.size() != along.size()) return {};
  if (std::ranges::any_of(along, isZero) || std::ranges::any_of(across, isZero)) return {};
  std::vector<glm::vec4> tangents;
  tangents.reserve(along.size());
  for (std::size_t c = 0; c < along.size(); ++c) {
    const float side = glm::dot(glm::cross(mesh.normals[c], along[c]), across[c]);
    tangents.emplace_back(along[c], side < 0.0f ? -1.0f : 1.0f);
  }
  return tangents;
}

// All layers of a kind, in file order.
std::vector<const FbxNode*> layersOf(const FbxNode& geometry, std::string_view kind) {
  std::vector<const FbxNode*> layers;
  for (const FbxNode& node : geometry.children()) {
    if (node.name() == kind) layers.push_back(&node);
  }
  return layers;
}

std::vector<glm::vec2> uvsOf(const std::vector<const FbxNode*>& layers, std::string_view name,
                             const FbxPolygons& mesh, const Kept& kept) {
  if (layers.empty()) return {};
  const auto isNamed = [name](const FbxNode* layer) {
    const FbxNode* found = layer->find("Name");
    return !name.empty() && found != nullptr && found->text(0) == name;
  };
  const auto found = std::ranges::find_if(layers, isNamed);
  const FbxNode* layer = found == layers.end() ? layers.front() : *found;
  auto uvs = perCorner<glm::vec2>(layer, "UV", "UVIndex", mesh, kept);
  for (glm::vec2& uv : uvs) uv.y = 1.0f - uv.y;  // FBX's v runs up
  return uvs;
}

std::vector<glm::vec4> colorsOf(const std::vector<const FbxNode*>& layers, const FbxPolygons& mesh,
                                const Kept& kept) {
  if (layers.empty()) return {};
  auto colors = perCorner<glm::vec4>(layers.front(), "Colors", "ColorIndex", mesh, kept);
  // Colours within 1/255 of white are ignored, also with alpha: some games store masks in it.
  const auto isWhite = [](const glm::vec4& color) {
    return glm::all(glm::greaterThan(glm::vec3(color), glm::vec3(254.0f / 255.0f)));
  };
  if (std::ranges::all_of(colors, isWhite)) return {};
  std::ranges::transform(colors, colors.begin(), linearColor);
  return colors;
}

}  // namespace

Result<FbxPolygons> readFbxPolygons(const FbxObject& geometry, const FbxWanted& wanted) {
  FbxPolygons mesh;
  if (auto ok = readPoints(geometry, mesh); !ok) return tl::unexpected(ok.error());
  const auto kept = readCorners(geometry, mesh);
  if (!kept) return tl::unexpected(kept.error());
  mesh.normals = directionsOf(geometry.node->find("LayerElementNormal"), "Normals", "NormalsIndex",
                              mesh, *kept);
  if (wanted.tangents && !mesh.normals.empty()) {
    mesh.tangents = tangentsOf(*geometry.node, mesh, *kept);
  }
  const auto colors = layersOf(*geometry.node, "LayerElementColor");
  mesh.colors = colorsOf(colors, mesh, *kept);
  mesh.hasMoreColors = colors.size() > 1;
  const auto uvs = layersOf(*geometry.node, "LayerElementUV");
  for (const std::string_view name : wanted.uvSets) {
    mesh.uvs.push_back(uvsOf(uvs, name, mesh, *kept));
  }
  mesh.materials.assign(kept->filePolygons.size(), 0);
  const FbxNode* materials = geometry.node->find("LayerElementMaterial");
  if (materials != nullptr) {
    const Layer layer(*materials, "Materials", true);
    const FbxArray& entries = materials->array("Materials");
    for (std::size_t p = 0; p < mesh.materials.size() && layer.isKnown(); ++p) {
      const std::int64_t entry =
          entries.size() == 1 ? entries.whole(0)
                              : layer.entry(kept->fileCorners[mesh.starts[p]],
                                            mesh.corners[mesh.starts[p]], kept->filePolygons[p]);
      mesh.materials[p] = entry >= 0 && entry < 65'536 ? static_cast<int>(entry) : -1;
    }
  }
  return mesh;
}

}  // namespace ck::worker
