#include "core/import/worker/x/x_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/transform.h"
#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/assembly/surface_maps.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kMostPoints = 20'000'000;

// The rows of both matrices' third axis are mirrored: S m S with S = diag(1, 1, -1, 1).
glm::dmat4 mirrored(glm::dmat4 m) {
  for (int i = 0; i < 4; ++i) {
    m[i][2] = -m[i][2];
    m[2][i] = -m[2][i];
  }
  return m;
}

// The faces of a list, as the file has them.
struct Faces {
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> starts = {0};
};

class MeshReader {
 public:
  MeshReader(XWords& words, std::string name, int frame) : words_(words) {
    mesh_.frame = frame;
    mesh_.name = words_.head();
    // Artists see the name of the frame.
    if (!name.empty()) mesh_.name = std::move(name);
  }

  XMesh read() {
    readPoints();
    faces_ = readFaces(mesh_.polygons.points.size(), "vertex");
    faceMaterials_.assign(faces_.starts.size() - 1, -1);
    while (words_.good() && !words_.isClose()) readChild(words_.word("an object of a mesh"));
    words_.close();
    if (words_.good()) putTogether();
    return std::move(mesh_);
  }

 private:
  void readPoints() {
    const std::size_t count = words_.count("vertices", 3);
    if (count > kMostPoints) return words_.refuse("there are more than 20 million vertices");
    mesh_.polygons.points.reserve(count);
    for (std::size_t i = 0; i < count && words_.good(); ++i) {
      mesh_.polygons.points.push_back(vector("a position"));
    }
  }

  glm::dvec3 vector(std::string_view what) {
    glm::dvec3 v(0.0);
    for (int i = 0; i < 3; ++i) v[i] = words_.number(what);
    v.z = -v.z;
    return v;
  }

  // An index below `count`; `what` it names is in the message.
  std::uint32_t index(std::size_t count, std::string_view what) {
    const std::int64_t index = words_.whole(fmt::format("the number of a {}", what));
    if (index >= 0 && static_cast<std::size_t>(index) < count) {
      return static_cast<std::uint32_t>(index);
    }
    words_.refuse(fmt::format("mesh '{}' names {} {} of {}; it is damaged, so export it again",
                              cleanText(mesh_.name), what, index, count));
    return 0;
  }

  Faces readFaces(std::size_t count, std::string_view what) {
    Faces faces;
    const std::size_t faceCount = words_.count("faces", 1);
    for (std::size_t f = 0; f < faceCount && words_.good(); ++f) {
      const std::size_t corners = words_.count("corners", 1);
      for (std::size_t c = 0; c < corners && words_.good(); ++c) {
        faces.corners.push_back(index(count, what));
      }
      faces.starts.push_back(static_cast<std::uint32_t>(faces.corners.size()));
    }
    return faces;
  }

  void readChild(const std::string& kind) {
    if (kind == "MeshNormals") {
      readNormals();
    } else if (kind == "MeshTextureCoords" && uvs_.empty()) {
      readUvs();
    } else if (kind == "MeshVertexColors" && colors_.empty()) {
      readColors();
    } else if (kind == "MeshMaterialList") {
      readMaterials();
    } else if (kind == "SkinWeights") {
      readBone();
    } else {
      words_.skipObject();
    }
  }

  void readNormals() {
    words_.head();
    const std::size_t count = words_.count("normals", 3);
    normals_.clear();
    for (std::size_t i = 0; i < count && words_.good(); ++i) {
      normals_.push_back(direction(glm::vec3(vector("a normal"))).value_or(glm::vec3(0.0f)));
    }
    normalFaces_ = readFaces(normals_.size(), "normal");
    words_.skipToClose();
  }

  // Refuses a list that does not have an entry for each vertex.
  std::size_t countOfVertices(std::string_view what, std::size_t numbersEach) {
    const std::size_t count = words_.count(what, numbersEach);
    if (words_.good() && count != mesh_.polygons.points.size()) {
      words_.refuse(fmt::format("mesh '{}' has {} {} for {} vertices", cleanText(mesh_.name), count,
                                what, mesh_.polygons.points.size()));
    }
    return count;
  }

  void readUvs() {
    words_.head();
    const std::size_t count = countOfVertices("texture coordinates", 2);
    for (std::size_t i = 0; i < count && words_.good(); ++i) {
      glm::vec2& uv = uvs_.emplace_back(0.0f);
      for (int c = 0; c < 2; ++c) uv[c] = static_cast<float>(words_.number("a texture coordinate"));
    }
    words_.skipToClose();
  }

  // Colours are as they are seen; each names its vertex.
  void readColors() {
    words_.head();
    const std::size_t count = words_.count("colours", 5);
    colors_.assign(mesh_.polygons.points.size(), glm::vec4(1.0f));
    for (std::size_t i = 0; i < count && words_.good(); ++i) {
      const std::uint32_t vertex = index(colors_.size(), "vertex");
      glm::vec4 color(1.0f);
      for (int c = 0; c < 4; ++c) color[c] = static_cast<float>(words_.number("a colour"));
      if (words_.good()) colors_[vertex] = color;
    }
    // White within what a byte holds says nothing.
    constexpr float kWhite = 254.0f / 255.0f;
    const auto isWhite = [](const glm::vec4& color) {
      return glm::all(glm::greaterThan(glm::vec3(color), glm::vec3(kWhite)));
    };
    if (std::ranges::all_of(colors_, isWhite)) colors_.clear();
    for (glm::vec4& color : colors_) color = linearColor(color);
    words_.skipToClose();
  }

  void readMaterials();
  void readBone();
  void putTogether();

  XWords& words_;
  XMesh mesh_;
  Faces faces_;
  std::vector<int> faceMaterials_;
  std::vector<glm::vec3> normals_;
  Faces normalFaces_;
  std::vector<glm::vec2> uvs_;     // by vertex
  std::vector<glm::vec4> colors_;  // by vertex
  // Of all bones, in file order: influences by the vertex that they belong to.
  std::vector<std::pair<std::uint32_t, Influence>> weights_;
};

XMaterial readMaterial(XWords& words) {
  XMaterial material;
  material.name = words.head();
  for (int c = 0; c < 4; ++c) material.color[c] = static_cast<float>(words.number("a colour"));
  for (int c = 0; c < 4; ++c) words.number("the highlight of a material");
  for (int c = 0; c < 3; ++c) material.emission[c] = static_cast<float>(words.number("a colour"));
  while (words.good() && !words.isClose()) {
    const std::string kind = words.word("an object of a material");
    const bool isNormalMap = kind == "NormalmapFilename" || kind == "NormalmapFileName";
    if (!isNormalMap && kind != "TextureFilename" && kind != "TextureFileName") {
      words.skipObject();
      continue;
    }
    words.head();
    std::string path = words.word("the name of an image");
    // Some exporters write every backslash twice.
    for (std::size_t at; (at = path.find("\\\\")) != std::string::npos;) path.erase(at, 1);
    if (isNormalMap) {
      material.normalMap = std::move(path);
    } else if (!path.empty()) {
      material.images.push_back(std::move(path));
    }
    words.skipToClose();
  }
  words.close();
  return material;
}

void MeshReader::readMaterials() {
  words_.head();
  words_.whole("the number of materials");
  const std::size_t count = words_.count("materials of faces", 1);
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < count && words_.good(); ++i) {
    chosen.push_back(words_.whole("the material of a face"));
  }
  while (words_.good() && !words_.isClose()) {
    XMaterial& material = mesh_.materials.emplace_back();
    if (words_.isOpen()) {
      words_.open();
      material.name = words_.word("the name of a material");
      material.isReference = true;
      words_.close();
    } else if (words_.word("a material") == "Material") {
      material = readMaterial(words_);
    } else {
      mesh_.materials.pop_back();
      words_.skipObject();
    }
  }
  words_.close();
  // Exporters write one number where all faces have the same. A face without a material of its own
  // has that of the last one.
  for (std::size_t f = 0; f < faceMaterials_.size() && !chosen.empty(); ++f) {
    const std::int64_t material = chosen[std::min(f, chosen.size() - 1)];
    const bool isThere =
        material >= 0 && static_cast<std::size_t>(material) < mesh_.materials.size();
    faceMaterials_[f] = isThere ? static_cast<int>(material) : -1;
  }
}

void MeshReader::readBone() {
  words_.head();
  XBone bone;
  bone.frame = words_.word("the name of a joint");
  const std::size_t count = words_.count("weights", 2);
  const int joint = static_cast<int>(mesh_.bones.size());
  const std::size_t first = weights_.size();
  for (std::size_t i = 0; i < count && words_.good(); ++i) {
    weights_.push_back({index(mesh_.polygons.points.size(), "vertex"), {joint, 0.0f}});
  }
  for (std::size_t i = 0; i < count && words_.good(); ++i) {
    weights_[first + i].second.weight = static_cast<float>(words_.number("a weight"));
  }
  for (int i = 0; i < 16; ++i) bone.inverseBind[i / 4][i % 4] = words_.number("a bind matrix");
  bone.inverseBind = mirrored(bone.inverseBind);
  mesh_.bones.push_back(std::move(bone));
  words_.skipToClose();
}

void MeshReader::putTogether() {
  Polygons& polygons = mesh_.polygons;
  mesh_.hasNormals = normalFaces_.starts == faces_.starts && !faces_.corners.empty() &&
                     std::ranges::any_of(normals_, [](const glm::vec3& normal) {
                       return normal != glm::vec3(0.0f);
                     });
  polygons.starts = {0};
  if (!uvs_.empty()) polygons.uvs.emplace_back();
  for (std::size_t f = 0; f + 1 < faces_.starts.size(); ++f) {
    if (faces_.starts[f + 1] < faces_.starts[f] + 3) {
      ++mesh_.badPolygons;
      continue;
    }
    for (std::size_t c = faces_.starts[f + 1]; c-- > faces_.starts[f];) {
      const std::uint32_t point = faces_.corners[c];
      polygons.corners.push_back(point);
      if (mesh_.hasNormals) polygons.normals.push_back(normals_[normalFaces_.corners[c]]);
      if (!uvs_.empty()) polygons.uvs[0].push_back(uvs_[point]);
      if (!colors_.empty()) polygons.colors.push_back(colors_[point]);
    }
    polygons.starts.push_back(static_cast<std::uint32_t>(polygons.corners.size()));
    polygons.materials.push_back(faceMaterials_[f]);
  }
  if (mesh_.bones.empty()) return;
  std::vector<std::uint32_t>& starts = mesh_.influenceStarts;
  starts.assign(polygons.points.size() + 1, 0);
  for (const auto& [point, influence] : weights_) ++starts[point + 1];
  for (std::size_t p = 1; p < starts.size(); ++p) starts[p] += starts[p - 1];
  mesh_.influences.resize(weights_.size());
  std::vector<std::uint32_t> next = starts;
  for (const auto& [point, influence] : weights_) mesh_.influences[next[point]++] = influence;
}

class SceneReader {
 public:
  explicit SceneReader(const XBody& body) : words_(body) {}

  Result<XScene> read() {
    while (words_.good() && !words_.atEnd()) readObject();
    if (words_.good() && !open_.empty()) {
      words_.refuse(
          fmt::format("the file ends within frame '{}'; it is cut short, so export it again",
                      cleanText(scene_.frames[top()].name)));
    }
    if (!words_.good()) return tl::unexpected(*words_.problem());
    return std::move(scene_);
  }

 private:
  std::size_t top() const { return static_cast<std::size_t>(open_.back()); }

  // Frames lie in each other, to any depth; `open_` holds those that are not closed yet.
  void readObject() {
    if (words_.isClose()) {
      words_.close();
      if (!open_.empty()) open_.pop_back();
      return;
    }
    if (words_.isOpen()) return words_.skipObject();  // a reference, e.g. to a mesh
    const std::string kind = words_.word("an object");
    if (kind == "Frame") {
      XFrame frame;
      frame.name = words_.head();
      frame.parent = open_.empty() ? -1 : open_.back();
      open_.push_back(static_cast<int>(scene_.frames.size()));
      scene_.frames.push_back(std::move(frame));
    } else if (kind == "FrameTransformMatrix" && !open_.empty()) {
      words_.head();
      scene_.frames[top()].matrix = mirrored(matrix());
      words_.skipToClose();
    } else if (kind == "Mesh") {
      const std::string name = open_.empty() ? std::string() : scene_.frames[top()].name;
      scene_.meshes.push_back(MeshReader(words_, name, open_.empty() ? -1 : open_.back()).read());
    } else if (kind == "Material") {
      scene_.materials.push_back(readMaterial(words_));
    } else if (kind == "AnimTicksPerSecond") {
      words_.head();
      scene_.ticksPerSecond = words_.number("the ticks of a second");
      words_.skipToClose();
    } else if (kind == "AnimationSet") {
      readClip();
    } else {
      words_.skipObject();
    }
  }

  glm::dmat4 matrix() {
    glm::dmat4 matrix(1.0);
    for (int i = 0; i < 16; ++i) matrix[i / 4][i % 4] = words_.number("a matrix");
    return matrix;
  }

  void readClip() {
    XClip clip;
    clip.name = words_.head();
    while (words_.good() && !words_.isClose()) {
      if (words_.isOpen() || words_.word("an object of an animation set") != "Animation") {
        words_.skipObject();
      } else {
        clip.motions.push_back(readMotion());
      }
    }
    words_.close();
    if (!clip.motions.empty()) scene_.clips.push_back(std::move(clip));
  }

  XMotion readMotion() {
    XMotion motion;
    words_.head();
    while (words_.good() && !words_.isClose()) {
      if (words_.isOpen()) {
        words_.open();
        motion.frame = words_.word("the name of a frame");
        words_.close();
      } else if (words_.word("an object of an animation") == "AnimationKey") {
        readKeys(motion);
      } else {
        words_.skipObject();
      }
    }
    words_.close();
    return motion;
  }

  // Kind 0: rotations as w, x, y, z; 1: scales; 2: translations; 3 and 4: matrices.
  void readKeys(XMotion& motion) {
    words_.head();
    const std::int64_t kind = words_.whole("the kind of keys");
    if (kind < 0 || kind > 4) words_.refuse(fmt::format("there are no keys of kind {}", kind));
    const std::int64_t width = kind == 0 ? 4 : kind < 3 ? 3 : 16;
    const std::size_t count = words_.count("keys", static_cast<std::size_t>(width) + 2);
    for (std::size_t k = 0; k < count && words_.good(); ++k) {
      const double time = words_.number("the time of a key");
      const std::int64_t numbers = words_.whole("how many numbers a key has");
      if (words_.good() && numbers != width) {
        words_.refuse(fmt::format("a key has {} numbers where its kind has {}", numbers, width));
      }
      if (words_.good()) readKey(kind, time, motion);
    }
    words_.skipToClose();
  }

  void readKey(std::int64_t kind, double time, XMotion& motion) {
    const auto add = [time](auto& track, const auto& value) {
      track.times.push_back(time);
      track.values.push_back(value);
    };
    if (kind >= 3) {
      const Trs trs = decompose(mirrored(matrix())).trs;
      add(motion.translation, glm::vec3(trs.translation));
      add(motion.rotation, glm::quat(trs.rotation));
      add(motion.scale, glm::vec3(trs.scale));
      return;
    }
    std::array<double, 4> n = {};
    for (std::size_t i = 0; i < (kind == 0 ? 4u : 3u); ++i) n[i] = words_.number("a key");
    if (kind == 0) {
      // Rows times matrices turn the other way, and so does the mirror, except about z.
      const glm::dquat q(n[0], n[1], n[2], -n[3]);
      const double length = glm::length(q);
      add(motion.rotation, glm::quat(length > 0.0 ? q / length : glm::dquat(1.0, 0.0, 0.0, 0.0)));
    } else if (kind == 1) {
      add(motion.scale, glm::vec3(n[0], n[1], n[2]));
    } else {
      add(motion.translation, glm::vec3(n[0], n[1], -n[2]));
    }
  }

  XWords words_;
  XScene scene_;
  std::vector<int> open_;
};

}  // namespace

Result<XScene> readXScene(const XBody& body) {
  return SceneReader(body).read();
}

}  // namespace ck::worker
