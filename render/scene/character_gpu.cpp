#include "render/scene/character_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace ck::render {
namespace {

// On an image without a mask the tint has half strength, so that the image stays visible.
constexpr float kTintOverImage = 0.5f;

// The texels of every material, and of one more for meshes without a material.
std::vector<glm::vec4> materialTexels(const Character& character, const ImageStack& images) {
  std::vector<glm::vec4> texels;
  for (const Material& material : character.materials) {
    const int layer = material.base.image >= 0
                          ? images.layerOf[static_cast<std::size_t>(material.base.image)]
                          : -1;
    const bool masked = layer >= 0 && material.alphaIsTintMask;
    texels.push_back(material.baseColor);
    const float tint = masked || layer < 0 ? 1.0f : kTintOverImage;
    texels.emplace_back(static_cast<float>(layer), masked ? 1.0f : 0.0f, tint, 0.0f);
  }
  // Painted vertices have their own colours.
  const bool painted = std::ranges::any_of(
      character.meshes, [](const Mesh& mesh) { return mesh.material < 0 && !mesh.colors.empty(); });
  texels.emplace_back(glm::vec3(painted ? 1.0f : 0.6f), 1.0f);
  texels.emplace_back(-1.0f, 0.0f, 1.0f, 0.0f);
  return texels;
}

// Normal maps are used on meshes with tangents.
bool showsNormalMap(const Character& character, const Mesh& mesh) {
  if (mesh.material < 0 || mesh.tangents.empty()) return false;
  const Material& material = character.materials[static_cast<std::size_t>(mesh.material)];
  return material.normal && hasUvsFor(mesh, material.normal);
}

Result<void> uploadData(CharacterGpu& gpu, const Character& character) {
  gpu.normalMapped = std::ranges::any_of(
      character.meshes, [&character](const Mesh& mesh) { return showsNormalMap(character, mesh); });
  if (!gpu.hasNormalMaps()) return {};
  std::vector<glm::vec4> texels;
  for (const Material& material : character.materials) {
    const int layer = material.normal.image >= 0
                          ? gpu.dataImages->layerOf[static_cast<std::size_t>(material.normal.image)]
                          : -1;
    texels.emplace_back(static_cast<float>(layer), material.normalScale, 0.0f, 0.0f);
  }
  texels.emplace_back(-1.0f, 0.0f, 0.0f, 0.0f);
  return gpu.normalMaterials.upload(texels, BufferUse::Static, "the normal maps of the character");
}

Result<void> uploadSurfaces(CharacterGpu& gpu) {
  if (gpu.features.colors) {
    auto stored =
        gpu.colors.upload(gpu.welded.colors, BufferUse::Static, "the colours of the character");
    if (!stored) return stored;
  }
  // A map may ask for a second set that no mesh has; crowd/actor.vert reads the first set then.
  gpu.features.secondUvs = gpu.features.secondUvs && !gpu.welded.secondUvs.empty();
  if (gpu.features.secondUvs) {
    auto stored = gpu.secondUvs.upload(gpu.welded.secondUvs, BufferUse::Static,
                                       "the texture coordinates of the character");
    if (!stored) return stored;
  }
  if (!gpu.features.any()) return {};
  return gpu.surfaces.upload(surfaceTexels(*gpu.character, *gpu.images, *gpu.dataImages),
                             BufferUse::Static, "the materials of the character");
}

Result<void> uploadIndices(CharacterGpu& gpu) {
  const std::vector<std::uint32_t>& indices = gpu.welded.indices;
  gpu.wideIndices = gpu.vertexCount() > std::numeric_limits<std::uint16_t>::max();
  if (gpu.wideIndices) {
    return gpu.indices.upload(indices, BufferUse::Static, "the triangles of the character");
  }
  const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
  return gpu.indices.upload(narrow, BufferUse::Static, "the triangles of the character");
}

// Vertices and triangles.
Result<CharacterGpu> uploadShapes(CharacterPtr character) {
  CharacterGpu gpu;
  gpu.welded = weldCharacter(*character);
  if (gpu.welded.indices.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there are no triangles to draw", character->name));
  }
  auto stored =
      gpu.vertices.upload(gpu.welded.vertices, BufferUse::Static, "the vertices of the character");
  if (!stored) return tl::unexpected(stored.error());
  if (gpu.hasTangents()) {
    auto turned = gpu.tangents.upload(gpu.welded.tangents, BufferUse::Static,
                                      "the tangents of the character");
    if (!turned) return tl::unexpected(turned.error());
  }
  if (auto indices = uploadIndices(gpu); !indices) return tl::unexpected(indices.error());
  gpu.character = std::move(character);
  gpu.features = featuresOf(*gpu.character);
  return gpu;
}

// Materials, for images that are there.
Result<void> uploadPaint(CharacterGpu& gpu) {
  const std::vector<glm::vec4> materials = materialTexels(*gpu.character, *gpu.images);
  auto table = gpu.materials.upload(materials, BufferUse::Static, "the materials of the character");
  if (!table) return table;
  for (std::size_t facts = 1; facts < materials.size(); facts += 2) {
    gpu.hasImages = gpu.hasImages || materials[facts].x >= 0.0f;
    gpu.tintMasked = gpu.tintMasked || materials[facts].y > 0.5f;
  }
  if (auto data = uploadData(gpu, *gpu.character); !data) return data;
  return uploadSurfaces(gpu);
}

}  // namespace

const SurfaceMeasures& CharacterGpu::surface() const {
  if (!measured) measured = measureSurface(welded);
  return *measured;
}

Result<CharacterGpu> uploadCharacter(CharacterPtr character) {
  if (character->rig.skinJoints.size() > std::numeric_limits<std::uint16_t>::max()) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("{}: {} joints move vertices, and 65535 can be drawn", character->name,
                            character->rig.skinJoints.size()));
  }
  auto shapes = uploadShapes(character);
  if (!shapes) return shapes;
  auto images = uploadImages(*character, ImageUse::Color);
  if (!images) return tl::unexpected(images.error());
  shapes->images = std::make_shared<const ImageStack>(std::move(*images));
  auto data = uploadImages(*character, ImageUse::Data);
  if (!data) return tl::unexpected(data.error());
  shapes->dataImages = std::make_shared<const ImageStack>(std::move(*data));
  if (auto painted = uploadPaint(*shapes); !painted) return tl::unexpected(painted.error());
  return shapes;
}

Result<CharacterGpu> uploadLevel(CharacterPtr level, const CharacterGpu& whole) {
  auto shapes = uploadShapes(std::move(level));
  if (!shapes) return shapes;
  shapes->images = whole.images;
  shapes->dataImages = whole.dataImages;
  if (auto painted = uploadPaint(*shapes); !painted) return tl::unexpected(painted.error());
  return shapes;
}

}  // namespace ck::render
