#include "core/import/worker/fbx/fbx_textures.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/base64.h"
#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// Text files hold embedded images as base64, in one or more texts.
std::vector<std::byte> fromBase64(const FbxNode& content) {
  std::vector<std::byte> bytes;
  for (std::size_t v = 0; v < content.valueCount(); ++v) {
    std::string digits(content.text(v));
    std::erase_if(digits, [](char c) {
      return std::string_view(" \t\r\n").find(c) != std::string_view::npos;
    });
    const auto part = bytesOfBase64(digits);
    if (part) bytes.insert(bytes.end(), part->begin(), part->end());
  }
  return bytes;
}

Wrap wrapOf(const FbxObject& texture, std::string_view property) {
  return fbxNumber(texture, property).value_or(0.0) == 1.0 ? Wrap::Clamp : Wrap::Repeat;
}

// A place in the picture is Translation + R * (Scaling * uv), as the readers of three.js, Assimp
// and OpenSceneGraph take it. v runs up in FBX and down here.
void place(const FbxObject& texture, SurfaceMap& map) {
  const auto vector = [&texture](std::string_view name, double fallback) {
    const glm::dvec3 value = fbxVector(texture, name).value_or(glm::dvec3(fallback));
    const bool sane = std::abs(value.x) < 1e6 && std::abs(value.y) < 1e6 && std::abs(value.z) < 1e6;
    return sane ? value : glm::dvec3(fallback);
  };
  const glm::dvec3 shift = vector("Translation", 0.0);
  const glm::dvec3 scale = vector("Scaling", 1.0);
  const double turn = glm::radians(vector("Rotation", 0.0).z);
  map.scale = glm::vec2(scale);
  map.rotation = static_cast<float>(turn);
  map.offset =
      glm::vec2(shift.x - std::sin(turn) * scale.y, 1.0 - shift.y - std::cos(turn) * scale.y);
}

// The properties that name the file of a video, the first that says something first.
constexpr const char* kFileNames[] = {"Filename", "FileName", "RelativeFilename"};

std::string_view textOf(const FbxNode& node, const char* property) {
  const FbxNode* found = node.find(property);
  return found == nullptr ? std::string_view() : found->text(0);
}

bool hasContent(const FbxNode& video) {
  return !textOf(video, "Content").empty();
}

}  // namespace

FbxMap FbxTextures::read(int object) {
  FbxMap result;
  if (file_.at(object).kind == "LayeredTexture") {
    const std::vector<int> layers = file_.sourcesOf(object, "Texture");
    if (layers.empty()) return result;
    if (layers.size() > 1) {
      warn(scene_.notes, "MaterialSimplified",
           fmt::format("texture '{}' has {} layers, of which the first is shown; merge them",
                       cleanText(file_.at(object).name), layers.size()));
    }
    object = layers.front();
  }
  if (file_.at(object).kind != "Texture") return result;
  const FbxObject& texture = file_.at(object);
  result.map.image = imageOf(object);
  if (!result.map) return result;
  result.map.wrapU = wrapOf(texture, "WrapModeU");
  result.map.wrapV = wrapOf(texture, "WrapModeV");
  place(texture, result.map);
  result.uvs = fbxText(texture, "UVSet");
  if (result.uvs == "default") result.uvs = {};  // what the SDK writes where nothing was chosen
  return result;
}

FbxTextures::FbxTextures(const FbxScene& file, SourceFolder& folder, SourceScene& scene)
    : file_(file), folder_(folder), scene_(scene) {
  for (std::size_t o = 0; o < file_.objects.size(); ++o) {
    const FbxObject& object = file_.objects[o];
    if (object.kind != "Video" || !hasContent(*object.node)) continue;
    for (const char* property : kFileNames) {
      const std::string_view name = textOf(*object.node, property);
      if (!name.empty()) embedded_.try_emplace({property, name}, static_cast<int>(o));
    }
  }
}

int FbxTextures::videoWithContent(int video) const {
  const FbxNode& node = *file_.at(video).node;
  if (hasContent(node)) return video;
  for (const char* property : kFileNames) {
    const auto found = embedded_.find({property, textOf(node, property)});
    if (found != embedded_.end()) return found->second;
  }
  return video;
}

int FbxTextures::imageOf(int texture) {
  const std::vector<int> videos = file_.sourcesOf(texture, "Video");
  const int key = videoWithContent(videos.empty() ? texture : videos.front());
  const auto [known, isNew] = known_.try_emplace(key, -1);
  if (!isNew) return known->second;
  return known->second = addImage(decoded(texture, key), scene_);
}

Result<Image> FbxTextures::decoded(int texture, int video) {
  std::vector<std::string> paths;
  for (const int object : {texture, video}) {
    for (const char* child : {"RelativeFilename", "FileName", "Filename"}) {
      const FbxNode* node = file_.at(object).node->find(child);
      if (node != nullptr && !node->text(0).empty()) paths.emplace_back(node->text(0));
    }
  }
  const std::string path = paths.empty() ? std::string() : paths.front();
  const std::string name = cleanText(path.substr(path.find_last_of("/\\") + 1));
  const FbxNode* content = file_.at(video).node->find("Content");
  if (content != nullptr && !content->text(0).empty()) {
    std::string joined;
    for (std::size_t v = 0; v < content->valueCount() && content->valueCount() > 1; ++v) {
      joined += content->text(v);
    }
    const std::string_view whole = joined.empty() ? content->text(0) : joined;
    const auto raw = std::as_bytes(std::span(whole));
    auto inside = decodeImage(raw, name);
    return inside ? std::move(inside) : decodeImage(fromBase64(*content), name);
  }
  return imageInFolder(paths, folder_);
}

}  // namespace ck::worker
