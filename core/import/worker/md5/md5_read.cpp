#include "core/import/worker/md5/md5_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/assembly/shape_normals.h"
#include "core/import/worker/bvh/stick_figure.h"
#include "core/import/worker/text/names.h"
#include "core/import/worker/text/text_scan.h"

namespace ck::worker {
namespace {

// The shortest text of one entry. It bounds how many entries a file can hold.
constexpr std::size_t kVertexBytes = 14;     // "vert0(0 0)0 0 "
constexpr std::size_t kTriangleBytes = 10;   // "tri 0 0 0 0"
constexpr std::size_t kWeightBytes = 16;     // "weight 0 0 0(0 0 0)"
constexpr std::size_t kBindJointBytes = 14;  // "a -1(0 0 0)(0 0 0)"
constexpr std::size_t kAnimJointBytes = 8;   // "a -1 0 0"
constexpr std::size_t kMostInfluences = 50'000'000;
constexpr int kMostJoints = 65'535;
constexpr int kMostMeshes = 65'535;
constexpr double kMostKeys = 20e6;

// The common part of the readers of both files.
class Md5Reader {
 protected:
  explicit Md5Reader(std::string_view text) : scan_(text, true) {
    scene_.source.upAxis = "Z";
    scene_.source.sourceToModel[1] = glm::dvec4(0.0, 0.0, -1.0, 0.0);
    scene_.source.sourceToModel[2] = glm::dvec4(0.0, 1.0, 0.0, 0.0);
  }

  // "MD5Version 10" and the command line of the exporter.
  void readHead() {
    scan_.expect("MD5Version");
    const int version = scan_.whole("the version", 0, 1'000'000);
    if (version != 10) {
      scan_.fail(ErrorCode::Unsupported,
                 fmt::format("this is version {} of MD5; only version 10 is read", version));
    }
    if (scan_.accept("commandline")) scan_.text("the exporter's command line");
  }

  void readJointCount(std::size_t bytesEach) {
    scan_.expect("numJoints");
    jointCount_ = scan_.count("joints", bytesEach);
    if (jointCount_ > kMostJoints) {
      scan_.fail(ErrorCode::LimitExceeded,
                 fmt::format("there are {} joints, more than {}", jointCount_, kMostJoints));
    }
  }

  void readNameAndParent() {
    SourceNode node;
    node.name = scan_.text("the name of a joint");
    node.parent = scan_.whole("the parent of a joint", -1, jointCount_ - 1);
    scene_.nodes.push_back(std::move(node));
  }

  // "( x y z )"
  glm::dvec3 readVector(std::string_view what) {
    glm::dvec3 v(0.0);
    scan_.expect("(");
    for (int i = 0; i < 3; ++i) v[i] = scan_.number(what);
    scan_.expect(")");
    return v;
  }

  // A rotation is stored as three numbers; w is never positive.
  static glm::dquat rotation(const glm::dvec3& xyz) {
    const double rest = 1.0 - glm::dot(xyz, xyz);
    const glm::dquat q(rest > 0.0 ? -std::sqrt(rest) : 0.0, xyz.x, xyz.y, xyz.z);
    const double length = glm::length(q);
    return length > 0.0 ? q / length : glm::dquat(1.0, 0.0, 0.0, 0.0);
  }

  TextScan scan_;
  SourceScene scene_;
  int jointCount_ = 0;
};

struct Weight {
  int joint = 0;
  double bias = 0.0;
  glm::dvec3 place{0.0};  // in the joint's space
};

struct Vertex {
  glm::vec2 uv{0.0f};
  int firstWeight = 0;
  int weightCount = 0;
  int line = 0;
};

// Reads the numbers of entries; each must occur exactly once.
class Numbering {
 public:
  Numbering(TextScan& scan, int count, std::string_view what)
      : scan_(scan), what_(what), seen_(static_cast<std::size_t>(count), 0) {}

  std::size_t take() {
    const int line = scan_.line();
    const int number = scan_.whole(fmt::format("the number of a {}", what_), 0,
                                   static_cast<int>(seen_.size()) - 1);
    const auto place = static_cast<std::size_t>(number);
    if (seen_[place] != 0) {
      scan_.refuse(line, fmt::format("{} {} comes a second time", what_, number));
    }
    seen_[place] = 1;
    return place;
  }

 private:
  TextScan& scan_;
  std::string_view what_;
  std::vector<char> seen_;
};

class MeshReader : Md5Reader {
 public:
  MeshReader(std::string_view text, SourceFolder& folder) : Md5Reader(text), folder_(folder) {}

  Result<SourceScene> run() {
    readHead();
    readJointCount(kBindJointBytes);
    scan_.expect("numMeshes");
    const int meshCount = scan_.count("meshes", 20);
    if (meshCount > kMostMeshes) {
      scan_.fail(ErrorCode::LimitExceeded,
                 fmt::format("there are {} meshes, more than {}", meshCount, kMostMeshes));
    }
    readJoints();
    for (int m = 0; m < meshCount && scan_.good(); ++m) readMesh(m);
    if (!scan_.good()) return tl::unexpected(*scan_.problem());
    noteWeightsApart();
    return std::move(scene_);
  }

 private:
  void readJoints() {
    scan_.expect("joints");
    scan_.expect("{");
    for (int j = 0; j < jointCount_ && scan_.good(); ++j) {
      readNameAndParent();
      const glm::dvec3 place = readVector("the place of a joint");
      const glm::dvec3 turn = readVector("the rotation of a joint");
      binds_.push_back({place, rotation(turn), glm::dvec3(1.0)});
    }
    scan_.expect("}");
    if (!scan_.good()) return;
    SourceSkin skin;
    for (std::size_t j = 0; j < binds_.size(); ++j) {
      SourceNode& node = scene_.nodes[j];
      node.rest = node.parent < 0
                      ? binds_[j]
                      : relative(binds_[static_cast<std::size_t>(node.parent)], binds_[j]);
      skin.nodes.push_back(static_cast<int>(j));
      skin.inverseBinds.push_back(affineInverse(toMatrix(binds_[j])));
    }
    scene_.skins.push_back(std::move(skin));
  }

  // A joint's transform relative to its parent; neither has a scale.
  static Trs relative(const Trs& parent, const Trs& joint) {
    const glm::dquat back = glm::conjugate(parent.rotation);
    return {back * (joint.translation - parent.translation), glm::normalize(back * joint.rotation),
            glm::dvec3(1.0)};
  }

  void readMesh(int number) {
    scan_.expect("mesh");
    scan_.expect("{");
    std::string shader;
    if (scan_.accept("shader")) shader = scan_.text("the shader of a mesh");
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> triangles;
    std::vector<Weight> weights;
    while (scan_.good() && !scan_.accept("}")) {
      if (scan_.accept("numverts")) {
        vertices = readVertices();
      } else if (scan_.accept("numtris")) {
        triangles = readTriangles();
      } else if (scan_.accept("numweights")) {
        weights = readWeights();
      } else {
        scan_.expect("}");
      }
    }
    if (scan_.good()) addMesh(number, shader, vertices, std::move(triangles), weights);
  }

  std::vector<Vertex> readVertices() {
    const int count = scan_.count("vertices", kVertexBytes);
    std::vector<Vertex> vertices(static_cast<std::size_t>(count));
    Numbering numbering(scan_, count, "vertex");
    for (int i = 0; i < count && scan_.good(); ++i) {
      scan_.expect("vert");
      const int line = scan_.line();
      Vertex& vertex = vertices[numbering.take()];
      vertex.line = line;
      scan_.expect("(");
      for (int c = 0; c < 2; ++c) {
        vertex.uv[c] = static_cast<float>(scan_.number("a texture coordinate"));
      }
      scan_.expect(")");
      vertex.firstWeight = scan_.whole("the first weight of a vertex", 0, 2'000'000'000);
      vertex.weightCount = scan_.whole("the number of weights of a vertex", 0, 1'000'000);
    }
    return vertices;
  }

  std::vector<std::uint32_t> readTriangles() {
    const int count = scan_.count("triangles", kTriangleBytes);
    std::vector<std::uint32_t> triangles(static_cast<std::size_t>(count) * 3);
    Numbering numbering(scan_, count, "triangle");
    for (int i = 0; i < count && scan_.good(); ++i) {
      scan_.expect("tri");
      const std::size_t first = numbering.take() * 3;
      // MD5 front faces wind clockwise.
      for (const std::size_t corner : {0, 2, 1}) {
        triangles[first + corner] =
            static_cast<std::uint32_t>(scan_.whole("the corner of a triangle", 0, 2'000'000'000));
      }
    }
    return triangles;
  }

  std::vector<Weight> readWeights() {
    const int count = scan_.count("weights", kWeightBytes);
    std::vector<Weight> weights(static_cast<std::size_t>(count));
    Numbering numbering(scan_, count, "weight");
    for (int i = 0; i < count && scan_.good(); ++i) {
      scan_.expect("weight");
      Weight& weight = weights[numbering.take()];
      weight.joint = scan_.whole("the joint of a weight", 0, jointCount_ - 1);
      weight.bias = scan_.number("a weight");
      weight.place = readVector("the place of a weight");
    }
    return weights;
  }

  void addMesh(int number, const std::string& shader, const std::vector<Vertex>& vertices,
               std::vector<std::uint32_t> triangles, const std::vector<Weight>& weights) {
    SourceMesh result;
    Mesh& mesh = result.mesh;
    mesh.name = shader.substr(shader.find_last_of("/\\") + 1);
    result.skin = 0;
    for (const std::uint32_t corner : triangles) {
      if (corner >= vertices.size()) {
        return scan_.fail(ErrorCode::InvalidInput,
                          fmt::format("mesh {}: a triangle names vertex {} of {}", number, corner,
                                      vertices.size()));
      }
    }
    mesh.indices = std::move(triangles);
    mesh.influenceStarts.push_back(0);
    for (const Vertex& vertex : vertices) {
      const auto end = static_cast<std::size_t>(vertex.firstWeight) +
                       static_cast<std::size_t>(vertex.weightCount);
      // Vertices may share weights, but their total number is limited to what a mesh can need.
      if (end > weights.size() || mesh.influences.size() > kMostInfluences) {
        return scan_.refuse(vertex.line, fmt::format("this vertex asks for weights {} to {} of {}",
                                                     vertex.firstWeight, end, weights.size()));
      }
      addVertex(vertex, weights, mesh);
    }
    computeNormals(mesh);
    if (!shader.empty()) mesh.material = addMaterial(shader);
    scene_.meshes.push_back(std::move(result));
  }

  void addVertex(const Vertex& vertex, const std::vector<Weight>& weights, Mesh& mesh) {
    glm::dvec3 place(0.0);
    double sum = 0.0;
    glm::dvec3 low(1e300);
    glm::dvec3 high(-1e300);
    for (int w = 0; w < vertex.weightCount; ++w) {
      const Weight& weight =
          weights[static_cast<std::size_t>(vertex.firstWeight) + static_cast<std::size_t>(w)];
      const Trs& bind = binds_[static_cast<std::size_t>(weight.joint)];
      const glm::dvec3 point = bind.translation + bind.rotation * weight.place;
      place += weight.bias * point;
      sum += weight.bias;
      low = glm::min(low, point);
      high = glm::max(high, point);
      mesh.influences.push_back({weight.joint, static_cast<float>(weight.bias)});
    }
    if (std::abs(sum) > 1e-6) place /= sum;
    if (vertex.weightCount > 1 && glm::distance(low, high) > 1e-3 * glm::length(high) + 1e-3) {
      ++verticesApart_;
      widestApart_ = std::max(widestApart_, glm::distance(low, high));
    }
    mesh.positions.emplace_back(place);
    mesh.uvs.push_back(vertex.uv);
    mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
  }

  int addMaterial(const std::string& shader) {
    Material material;
    material.name = shader.substr(shader.find_last_of("/\\") + 1);
    const std::string stem = material.name.substr(0, material.name.rfind('.'));
    for (const std::string& name : {material.name, stem + ".tga", stem + ".png", stem + ".jpg",
                                    stem + "_d.tga", stem + "_d.png"}) {
      const auto bytes = folder_.read(name);
      if (!bytes) continue;
      material.base.image = addImage(decodeImage(*bytes, cleanText(name)), scene_);
      if (material.base.image >= 0) break;
    }
    scene_.materials.push_back(std::move(material));
    return static_cast<int>(scene_.materials.size()) - 1;
  }

  void noteWeightsApart() {
    if (verticesApart_ == 0) return;
    warn(scene_.notes, "WeightsApart",
         fmt::format("the weights of {} vertices put them at places up to {:.3g} units apart at "
                     "bind; each is skinned from their mean, which may differ in motion",
                     verticesApart_, widestApart_));
  }

  SourceFolder& folder_;
  std::vector<Trs> binds_;  // one per joint, in file space
  int verticesApart_ = 0;
  double widestApart_ = 0.0;
};

class AnimReader : Md5Reader {
 public:
  explicit AnimReader(std::string_view text) : Md5Reader(text) {}

  Result<SourceScene> run() {
    readHead();
    readCounts();
    readHierarchy();
    skipBounds();
    readBaseFrame();
    readFrames();
    addClip();
    if (!scan_.good()) return tl::unexpected(*scan_.problem());
    addStickFigure(scene_, {});
    return std::move(scene_);
  }

 private:
  // Which of Tx Ty Tz Qx Qy Qz of a joint every frame contains, and the index of the first.
  struct Components {
    int flags = 0;
    int first = 0;
  };

  void readCounts() {
    scan_.expect("numFrames");
    frameCount_ = scan_.count("frames", 8);
    readJointCount(kAnimJointBytes);
    scan_.expect("frameRate");
    const int line = scan_.line();
    rate_ = scan_.number("the frame rate");
    if (!(rate_ > 0.001 && rate_ <= 100'000.0)) {
      scan_.refuse(line, fmt::format("the frame rate is {}, so frames have no time; set the frames "
                                     "per second, e.g. 24",
                                     rate_));
    }
    scan_.expect("numAnimatedComponents");
    componentCount_ = scan_.whole("the animated components", 0, jointCount_ * 6);
    // Every frame contains all of them, at least "0 " each.
    if (2.0 * componentCount_ * frameCount_ > static_cast<double>(scan_.bytesLeft()) + 2.0) {
      scan_.refuse(fmt::format(
          "the file says {} frames of {} numbers, more than what is left of it can hold",
          frameCount_, componentCount_));
    }
  }

  void readHierarchy() {
    scan_.expect("hierarchy");
    scan_.expect("{");
    for (int j = 0; j < jointCount_ && scan_.good(); ++j) {
      readNameAndParent();
      const int line = scan_.line();
      const int flags = scan_.whole("the flags of a joint", 0, 63);
      const int first = scan_.whole("the first component of a joint", 0, 2'000'000'000);
      const int used = std::popcount(static_cast<unsigned>(flags));
      if (used > 0 && first > componentCount_ - used) {
        scan_.refuse(line, fmt::format("this joint uses components {} to {} of {}", first,
                                       first + used - 1, componentCount_));
      }
      components_.push_back({flags, first});
    }
    scan_.expect("}");
  }

  // The frames' bounding boxes are skipped; bounds are measured in the bake.
  void skipBounds() {
    if (!scan_.accept("bounds")) return;
    scan_.expect("{");
    while (!scan_.atEnd() && scan_.peek() != "}") scan_.next();
    scan_.expect("}");
  }

  void readBaseFrame() {
    scan_.expect("baseframe");
    scan_.expect("{");
    for (std::size_t j = 0; j < scene_.nodes.size() && scan_.good(); ++j) {
      const glm::dvec3 place = readVector("the place of a joint");
      const glm::dvec3 turn = readVector("the rotation of a joint");
      base_.push_back({place, turn});
      scene_.nodes[j].rest = {place, rotation(turn), glm::dvec3(1.0)};
    }
    scan_.expect("}");
  }

  void readFrames() {
    if (!scan_.good()) return;
    const auto width = static_cast<std::size_t>(componentCount_);
    numbers_.assign(static_cast<std::size_t>(frameCount_) * width, 0.0);
    Numbering numbering(scan_, frameCount_, "frame");
    for (int i = 0; i < frameCount_ && scan_.good(); ++i) {
      scan_.expect("frame");
      const std::size_t first = numbering.take() * width;
      scan_.expect("{");
      for (std::size_t c = 0; c < width; ++c) {
        numbers_[first + c] = scan_.number("a component of a frame");
      }
      scan_.expect("}");
    }
  }

  // The translation and rotation of a joint in a frame.
  std::pair<glm::dvec3, glm::dvec3> local(std::size_t joint, std::size_t frame) const {
    auto [place, turn] = base_[joint];
    std::size_t next = frame * static_cast<std::size_t>(componentCount_) +
                       static_cast<std::size_t>(components_[joint].first);
    for (int bit = 0; bit < 6; ++bit) {
      if ((components_[joint].flags >> bit & 1) == 0) continue;
      (bit < 3 ? place[bit] : turn[bit - 3]) = numbers_[next++];
    }
    return {place, turn};
  }

  void addClip() {
    if (frameCount_ == 0 || !scan_.good()) return;
    const auto moved = std::count_if(components_.begin(), components_.end(),
                                     [](const Components& c) { return c.flags != 0; });
    if (static_cast<double>(moved) * frameCount_ > kMostKeys) {
      return scan_.fail(ErrorCode::LimitExceeded,
                        fmt::format("{} joints in {} frames are more than {:.0f} million keys",
                                    moved, frameCount_, kMostKeys / 1e6));
    }
    SourceClip clip;
    for (std::size_t j = 0; j < components_.size(); ++j) {
      SourceNodeTracks tracks;
      tracks.node = static_cast<int>(j);
      const int flags = components_[j].flags;
      for (int frame = 0; frame < (flags == 0 ? 1 : frameCount_); ++frame) {
        const double time = frame / rate_;
        const auto [place, turn] = local(j, static_cast<std::size_t>(frame));
        if (frame == 0 || (flags & 7) != 0) {
          tracks.translation.times.push_back(time);
          tracks.translation.values.emplace_back(place);
        }
        if (frame == 0 || (flags & 56) != 0) {
          tracks.rotation.times.push_back(time);
          tracks.rotation.values.emplace_back(rotation(turn));
        }
      }
      clip.nodeTracks.push_back(std::move(tracks));
    }
    scene_.clips.push_back(std::move(clip));
  }

  std::vector<Components> components_;
  std::vector<std::pair<glm::dvec3, glm::dvec3>> base_;
  std::vector<double> numbers_;  // frame-major
  int frameCount_ = 0;
  int componentCount_ = 0;
  double rate_ = 24.0;
};

}  // namespace

bool looksLikeMd5Mesh(const RigHead& head) {
  return head.start.starts_with("MD5Version") &&
         (head.holds("numMeshes") || (head.isNamedSo && !head.holds("numFrames")));
}

Result<SourceScene> readMd5Mesh(const RigSource& source) {
  return MeshReader(source.text(), source.folder).run();
}

bool looksLikeMd5Anim(const RigHead& head) {
  return head.start.starts_with("MD5Version");
}

Result<SourceScene> readMd5Anim(const RigSource& source) {
  return AnimReader(source.text()).run();
}

}  // namespace ck::worker
