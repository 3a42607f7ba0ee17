#include "core/import/worker/x/x_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/transform.h"
#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/assembly/rig_assembly.h"
#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/assembly/surface_maps.h"
#include "core/import/worker/text/names.h"
#include "core/import/worker/x/x_scene.h"

namespace ck::worker {
namespace {

constexpr double kUsualTicks = 4800.0;
constexpr double kUsualFrames = 30.0;
constexpr std::size_t kMostVertices = 20'000'000;
constexpr std::size_t kMostMeshes = 65'535;
constexpr float kSeen = 0.01f;  // of full light or cover

bool isColor(const glm::vec3& color) {
  return glm::all(glm::greaterThanEqual(color, glm::vec3(0.0f))) &&
         glm::all(glm::lessThan(color, glm::vec3(1e6f)));
}

// X has no kinds of images but normal maps; exporters tell them apart by name.
enum class ImageUse { Color, Normal, Emission, Unused };
ImageUse useOf(std::string path) {
  path.erase(0, path.find_last_of("/\\") + 1);
  path.resize(std::min(path.rfind('.'), path.size()));
  for (char& c : path) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  const auto holds = [&path](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(
        words, [&path](std::string_view word) { return path.find(word) != std::string::npos; });
  };
  if (holds({"bump", "height", "spec", "glanz", "ambi", "env"})) return ImageUse::Unused;
  if (holds({"normal", "nm"})) return ImageUse::Normal;
  return holds({"emissive", "self"}) ? ImageUse::Emission : ImageUse::Color;
}

// Whether the keys of a file that states no ticks count frames: their times are whole, and at 4800
// ticks a second the clips would be over within a tenth of a second or have more than 120 keys a
// second.
bool countsFrames(const std::vector<XClip>& clips) {
  constexpr double kShortest = 0.1 * kUsualTicks;
  constexpr double kDensest = kUsualTicks / 120.0;
  double longest = 0.0;
  double step = kUsualTicks;
  bool whole = true;
  const auto look = [&](const std::vector<double>& times) {
    if (times.size() < 2) return;
    const auto [first, last] = std::ranges::minmax(times);
    longest = std::max(longest, last);
    step = std::min(step, (last - first) / static_cast<double>(times.size() - 1));
    whole = whole && std::ranges::all_of(times, [](double t) { return t == std::floor(t); });
  };
  for (const XClip& clip : clips) {
    for (const XMotion& motion : clip.motions) {
      look(motion.translation.times);
      look(motion.rotation.times);
      look(motion.scale.times);
    }
  }
  return whole && longest > 0.0 && (longest < kShortest || step < kDensest);
}

class Assembly {
 public:
  Assembly(XScene& file, SourceFolder& folder, SourceScene& scene)
      : file_(file), folder_(folder), scene_(scene) {}

  Result<void> run() {
    for (const XFrame& frame : file_.frames) {
      SourceNode node;
      node.name = frame.name;
      node.parent = frame.parent;
      node.restIsTrs = false;
      node.restMatrix = frame.matrix;
      nodesOf_[frame.name].push_back(static_cast<int>(scene_.nodes.size()));
      scene_.nodes.push_back(std::move(node));
    }
    for (const XMesh& mesh : file_.meshes) {
      if (mesh.frame >= 0) holdsMesh_.insert(mesh.frame);
    }
    for (const XMaterial& material : file_.materials) {
      shared_.emplace(material.name, addMaterial(material));
    }
    for (XMesh& mesh : file_.meshes) {
      if (auto ok = addMesh(mesh); !ok) return ok;
    }
    dropUnusedImages(scene_);
    const double ticks = ticksPerSecond();
    for (XClip& clip : file_.clips) addClip(clip, ticks);
    return {};
  }

 private:
  // Of several nodes of a name, the first one that holds no mesh; -1 if there is none.
  int find(const std::string& name) const {
    const auto found = nodesOf_.find(name);
    if (found == nodesOf_.end()) return -1;
    for (const int node : found->second) {
      if (!holdsMesh_.contains(node)) return node;
    }
    return found->second.front();
  }

  int imageOf(const std::string& path) {
    const auto [known, isNew] = images_.try_emplace(path, -1);
    if (isNew) {
      const std::string paths[] = {path};
      known->second = addImage(imageInFolder(paths, folder_), scene_);
    }
    return known->second;
  }

  int addMaterial(const XMaterial& from) {
    Material material;
    material.name = from.name;
    std::string normalMap = from.normalMap;
    for (const std::string& path : from.images) {
      const ImageUse use = from.images.size() == 1 ? ImageUse::Color : useOf(path);
      if (use == ImageUse::Color && !material.base) material.base.image = imageOf(path);
      if (use == ImageUse::Emission && !material.emissive) material.emissive.image = imageOf(path);
      if (use == ImageUse::Normal && normalMap.empty()) normalMap = path;
    }
    if (!normalMap.empty()) addNormalMap(normalMap, material);
    const bool colored = isColor(glm::vec3(from.color));
    // The image replaces the colour, because exporters leave grey or black there.
    if (colored && !material.base) material.baseColor = glm::vec4(glm::vec3(from.color), 1.0f);
    if (material.emissive) {
      material.emission = glm::vec3(1.0f);
    } else if (isColor(from.emission) &&
               std::max({from.emission.x, from.emission.y, from.emission.z}) > kSeen) {
      material.emission = from.emission;
    }
    if (colored && from.color.w < 1.0f - kSeen) addOpacity(from.color.w, material);
    scene_.materials.push_back(std::move(material));
    return static_cast<int>(scene_.materials.size()) - 1;
  }

  // Some exporters write 0 for opaque and others for clear. What would be invisible is therefore
  // shown as opaque.
  void addOpacity(float solid, Material& material) {
    if (!(solid < kSeen)) {
      material.alpha = AlphaMode::Blend;
      material.baseColor.w = solid;
      return;
    }
    warn(scene_.notes, "MaterialSimplified",
         fmt::format("material '{}': not shown: its transparency, which would leave nothing of it "
                     "to see",
                     cleanText(material.name)));
  }

  void addNormalMap(const std::string& path, Material& material) {
    material.normal.image = imageOf(path);
    if (!material.normal) return;
    const Image& image = scene_.images[static_cast<std::size_t>(material.normal.image)];
    if (!isGrey(image)) return;
    warn(scene_.notes, "NormalMapUnused",
         fmt::format("material '{}': '{}' holds heights, not normals, and is not shown; bake it to "
                     "a normal map",
                     cleanText(material.name), cleanText(image.name)));
    material.normal = {};
  }

  std::vector<int> materialsOf(const XMesh& mesh) {
    std::vector<int> materials;
    for (const XMaterial& material : mesh.materials) {
      if (!material.isReference) {
        materials.push_back(addMaterial(material));
        // Other meshes may refer to it.
        shared_.emplace(material.name, materials.back());
      } else {
        const auto found = shared_.find(material.name);
        materials.push_back(found == shared_.end() ? -1 : found->second);
      }
    }
    return materials;
  }

  Result<void> addMesh(XMesh& mesh) {
    const std::string name = cleanText(mesh.name);
    if (mesh.badPolygons > 0) {
      warn(scene_.notes, "PolygonsDropped",
           fmt::format("mesh '{}': {} polygons have fewer than three corners and were left out",
                       name, mesh.badPolygons));
    }
    auto skin = addSkin(mesh);
    if (!skin) return tl::unexpected(skin.error());
    const std::vector<int> materials = materialsOf(mesh);
    const bool hasUvs = !mesh.polygons.uvs.empty();
    auto parts =
        splitByMaterial(mesh.polygons, [hasUvs](int) { return std::pair(hasUvs ? 0 : -1, -1); });
    mesh.polygons = {};  // several times as large as the parts
    if (!mesh.hasNormals && !parts.empty()) {
      inform(scene_.notes, "NormalsComputed",
             fmt::format("mesh '{}' has no normals; smooth ones were computed", name));
      computeNormals(parts);
    }
    const int node = mesh.frame >= 0 ? mesh.frame : addNode(mesh.name, glm::dmat4(1.0));
    for (auto& [material, part] : parts) {
      vertexCount_ += part.points.size();
      if (vertexCount_ > kMostVertices || scene_.meshes.size() >= kMostMeshes) {
        return fail(ErrorCode::LimitExceeded,
                    "there are more than 20 million vertices or 65535 meshes");
      }
      completeNormals(part.mesh);
      part.mesh.name = mesh.name;
      part.mesh.material = material < 0 ? -1 : materials[static_cast<std::size_t>(material)];
      if (*skin >= 0) addInfluences(mesh.influenceStarts, mesh.influences, part);
      SourceMesh& added = scene_.meshes.emplace_back();
      added.mesh = std::move(part.mesh);
      added.node = node;
      added.skin = *skin;
    }
    return {};
  }

  int addNode(const std::string& name, const glm::dmat4& rest) {
    SourceNode node;
    node.name = name;
    node.restIsTrs = false;
    node.restMatrix = rest;
    scene_.nodes.push_back(std::move(node));
    return static_cast<int>(scene_.nodes.size()) - 1;
  }

  // -1 without bones. A bone without a frame gets a node that stays still.
  Result<int> addSkin(const XMesh& mesh) {
    if (mesh.bones.empty()) return -1;
    SourceSkin skin;
    for (const XBone& bone : mesh.bones) {
      if (!isSane(bone.inverseBind)) {
        return fail(ErrorCode::InvalidInput,
                    fmt::format("mesh '{}': the bind matrix of '{}' is not a number",
                                cleanText(mesh.name), cleanText(bone.frame)));
      }
      int node = find(bone.frame);
      if (node < 0) {
        node = addNode(bone.frame, affineInverse(bone.inverseBind));
        warn(scene_.notes, "JointWithoutNode",
             fmt::format("joint '{}' is not in the hierarchy and stays still",
                         cleanText(bone.frame)));
      }
      skin.nodes.push_back(node);
      skin.inverseBinds.push_back(bone.inverseBind);
    }
    scene_.skins.push_back(std::move(skin));
    return static_cast<int>(scene_.skins.size()) - 1;
  }

  double ticksPerSecond() {
    if (file_.ticksPerSecond > 0.0) return file_.ticksPerSecond;
    if (!countsFrames(file_.clips)) return kUsualTicks;
    warn(scene_.notes, "FramesCounted",
         fmt::format("the file does not say how fast it plays, and its keys count frames; they "
                     "play at {:.0f} frames a second",
                     kUsualFrames));
    return kUsualFrames;
  }

  void addClip(XClip& from, double ticks) {
    SourceClip clip;
    clip.name = std::move(from.name);
    std::set<int> taken;
    for (XMotion& motion : from.motions) {
      const int node = find(motion.frame);
      if (node < 0 || !taken.insert(node).second) {
        warn(scene_.notes, "ChannelDropped",
             fmt::format("clip '{}': '{}' {}", cleanText(clip.name), cleanText(motion.frame),
                         node < 0 ? "is moved but is not in the hierarchy"
                                  : "is moved twice; the first motion was used"));
        continue;
      }
      const auto inSeconds = [ticks](auto& track) {
        for (double& time : track.times) time /= ticks;
        return std::move(track);
      };
      clip.nodeTracks.push_back({node, inSeconds(motion.translation), inSeconds(motion.rotation),
                                 inSeconds(motion.scale)});
    }
    scene_.clips.push_back(std::move(clip));
  }

  XScene& file_;
  SourceFolder& folder_;
  SourceScene& scene_;
  std::map<std::string, std::vector<int>> nodesOf_;
  std::set<int> holdsMesh_;
  std::map<std::string, int> shared_;  // materials, by name
  std::map<std::string, int> images_;  // by path
  std::size_t vertexCount_ = 0;
};

}  // namespace

bool looksLikeX(const RigHead& head) {
  using namespace std::literals;
  // In UTF-16, a zero follows each letter, or comes before it. A byte order mark may stand above.
  return head.start.starts_with("xof ") ||
         head.text.substr(0, 11).find("x\0o\0f\0 \0"sv) != std::string_view::npos;
}

Result<SourceScene> readX(const RigSource& source) {
  source.progress(0.1f, "Reading the file");
  const auto body = readXHead(source.text());
  if (!body) return tl::unexpected(body.error());
  auto file = readXScene(*body);
  if (!file) return tl::unexpected(file.error());
  SourceScene scene;
  source.progress(0.6f, "Reading meshes");
  if (auto ok = Assembly(*file, source.folder, scene).run(); !ok) return tl::unexpected(ok.error());
  inform(scene.notes, "AxisMirrored",
         "DirectX files are left-handed; their z axis was mirrored, so that left stays left and "
         "what faced +z faces -z");
  return scene;
}

}  // namespace ck::worker
