#include "core/import/worker/md5/md5_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/import/worker/assembly/picture_decode.h"
#include "core/import/worker/assembly/vertex_weights.h"
#include "core/import/worker/md5/md5_parts.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// The shortest text of one entry. It bounds how many entries a file can hold.
constexpr std::size_t kVertexBytes = 14;    // "vert0(0 0)0 0 "
constexpr std::size_t kTriangleBytes = 10;  // "tri 0 0 0 0"
constexpr std::size_t kWeightBytes = 16;    // "weight 0 0 0(0 0 0)"
constexpr std::size_t kJointBytes = 14;     // "a -1(0 0 0)(0 0 0)"
constexpr std::size_t kMostInfluences = 50'000'000;

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

// Reads the number of an entry; each number must occur exactly once.
class Numbering {
 public:
  explicit Numbering(int count) : seen_(static_cast<std::size_t>(count), 0) {}
  Result<std::size_t> take(TextScan& scan, std::string_view what) {
    const int line = scan.line();
    const auto index =
        scan.whole(fmt::format("the number of a {}", what), 0, static_cast<int>(seen_.size()) - 1);
    if (!index) return tl::unexpected(index.error());
    const auto place = static_cast<std::size_t>(*index);
    if (seen_[place] != 0) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("line {}: {} {} comes a second time", line, what, *index));
    }
    seen_[place] = 1;
    return place;
  }

 private:
  std::vector<char> seen_;
};

class MeshReader {
 public:
  MeshReader(std::string_view text, SourceFolder& folder) : scan_(text, true), folder_(folder) {}

  Result<SourceScene> run() {
    setMd5Space(scene_.source);
    if (auto ok = readMd5Head(scan_); !ok) return tl::unexpected(ok.error());
    if (auto ok = readCounts(); !ok) return tl::unexpected(ok.error());
    if (auto ok = readJoints(); !ok) return tl::unexpected(ok.error());
    for (int m = 0; m < meshCount_; ++m) {
      if (auto ok = readMesh(m); !ok) return tl::unexpected(ok.error());
    }
    noteWeightsApart();
    return std::move(scene_);
  }

 private:
  Result<void> readCounts() {
    if (auto ok = scan_.expect("numJoints"); !ok) return ok;
    const auto joints = scan_.count("joints", kJointBytes);
    if (!joints) return tl::unexpected(joints.error());
    if (*joints > kMostMd5Joints) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("there are {} joints, more than {}", *joints, kMostMd5Joints));
    }
    jointCount_ = *joints;
    if (auto ok = scan_.expect("numMeshes"); !ok) return ok;
    const auto meshes = scan_.count("meshes", 20);
    if (!meshes) return tl::unexpected(meshes.error());
    if (*meshes > 65'535) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("there are {} meshes, more than 65535", *meshes));
    }
    meshCount_ = *meshes;
    return {};
  }

  Result<void> readJoints() {
    if (auto ok = scan_.expect("joints"); !ok) return ok;
    if (auto ok = scan_.expect("{"); !ok) return ok;
    for (int j = 0; j < jointCount_; ++j) {
      SourceNode node;
      auto name = scan_.text("the name of a joint");
      if (!name) return tl::unexpected(name.error());
      node.name = std::move(*name);
      const auto parent = scan_.whole("the parent of a joint", -1, jointCount_ - 1);
      if (!parent) return tl::unexpected(parent.error());
      node.parent = *parent;
      const auto place = readMd5Vector(scan_, "the place of a joint");
      if (!place) return tl::unexpected(place.error());
      const auto turn = readMd5Vector(scan_, "the rotation of a joint");
      if (!turn) return tl::unexpected(turn.error());
      binds_.push_back({*place, md5Rotation(*turn), glm::dvec3(1.0)});
      scene_.nodes.push_back(std::move(node));
    }
    if (auto ok = scan_.expect("}"); !ok) return ok;
    SourceSkin skin;
    skin.name = "MD5";
    for (std::size_t j = 0; j < binds_.size(); ++j) {
      SourceNode& node = scene_.nodes[j];
      node.rest = node.parent < 0
                      ? binds_[j]
                      : relative(binds_[static_cast<std::size_t>(node.parent)], binds_[j]);
      skin.nodes.push_back(static_cast<int>(j));
      skin.inverseBinds.push_back(affineInverse(toMatrix(binds_[j])));
    }
    scene_.skins.push_back(std::move(skin));
    return {};
  }

  // A joint's transform relative to its parent; neither has a scale.
  static Trs relative(const Trs& parent, const Trs& joint) {
    const glm::dquat back = glm::conjugate(parent.rotation);
    return {back * (joint.translation - parent.translation), glm::normalize(back * joint.rotation),
            glm::dvec3(1.0)};
  }

  Result<void> readMesh(int number) {
    if (auto ok = scan_.expect("mesh"); !ok) return ok;
    if (auto ok = scan_.expect("{"); !ok) return ok;
    std::string shader;
    if (scan_.accept("shader")) {
      auto text = scan_.text("the shader of a mesh");
      if (!text) return tl::unexpected(text.error());
      shader = std::move(*text);
    }
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> triangles;
    std::vector<Weight> weights;
    while (!scan_.accept("}")) {
      Result<void> ok;
      if (scan_.accept("numverts")) {
        ok = readVertices(vertices);
      } else if (scan_.accept("numtris")) {
        ok = readTriangles(triangles);
      } else if (scan_.accept("numweights")) {
        ok = readWeights(weights);
      } else {
        ok = scan_.expect("}");
      }
      if (!ok) return ok;
    }
    return addMesh(number, shader, vertices, triangles, weights);
  }

  Result<void> readVertices(std::vector<Vertex>& vertices) {
    const auto count = scan_.count("vertices", kVertexBytes);
    if (!count) return tl::unexpected(count.error());
    vertices.assign(static_cast<std::size_t>(*count), {});
    Numbering numbering(*count);
    for (int i = 0; i < *count; ++i) {
      if (auto ok = scan_.expect("vert"); !ok) return ok;
      const int line = scan_.line();
      const auto index = numbering.take(scan_, "vertex");
      if (!index) return tl::unexpected(index.error());
      if (auto ok = scan_.expect("("); !ok) return ok;
      const auto u = scan_.number("a texture coordinate");
      if (!u) return tl::unexpected(u.error());
      const auto v = scan_.number("a texture coordinate");
      if (!v) return tl::unexpected(v.error());
      if (auto ok = scan_.expect(")"); !ok) return ok;
      const auto first = scan_.whole("the first weight of a vertex", 0, 2'000'000'000);
      if (!first) return tl::unexpected(first.error());
      const auto weightCount = scan_.whole("the number of weights of a vertex", 0, 1'000'000);
      if (!weightCount) return tl::unexpected(weightCount.error());
      vertices[*index] = {glm::vec2(*u, *v), *first, *weightCount, line};
    }
    return {};
  }

  Result<void> readTriangles(std::vector<std::uint32_t>& triangles) {
    const auto count = scan_.count("triangles", kTriangleBytes);
    if (!count) return tl::unexpected(count.error());
    triangles.assign(static_cast<std::size_t>(*count) * 3, 0);
    Numbering numbering(*count);
    for (int i = 0; i < *count; ++i) {
      if (auto ok = scan_.expect("tri"); !ok) return ok;
      const auto index = numbering.take(scan_, "triangle");
      if (!index) return tl::unexpected(index.error());
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const auto vertex = scan_.whole("the corner of a triangle", 0, 2'000'000'000);
        if (!vertex) return tl::unexpected(vertex.error());
        // MD5 front faces wind clockwise.
        triangles[*index * 3 + (corner == 0 ? 0 : 3 - corner)] =
            static_cast<std::uint32_t>(*vertex);
      }
    }
    return {};
  }

  Result<void> readWeights(std::vector<Weight>& weights) {
    const auto count = scan_.count("weights", kWeightBytes);
    if (!count) return tl::unexpected(count.error());
    weights.assign(static_cast<std::size_t>(*count), {});
    Numbering numbering(*count);
    for (int i = 0; i < *count; ++i) {
      if (auto ok = scan_.expect("weight"); !ok) return ok;
      const auto index = numbering.take(scan_, "weight");
      if (!index) return tl::unexpected(index.error());
      const auto joint = scan_.whole("the joint of a weight", 0, jointCount_ - 1);
      if (!joint) return tl::unexpected(joint.error());
      const auto bias = scan_.number("a weight");
      if (!bias) return tl::unexpected(bias.error());
      const auto place = readMd5Vector(scan_, "the place of a weight");
      if (!place) return tl::unexpected(place.error());
      weights[*index] = {*joint, *bias, *place};
    }
    return {};
  }

  Result<void> addMesh(int number, const std::string& shader, const std::vector<Vertex>& vertices,
                       std::vector<std::uint32_t>& triangles, const std::vector<Weight>& weights) {
    SourceMesh result;
    Mesh& mesh = result.mesh;
    mesh.name = shader.substr(shader.find_last_of("/\\") + 1);
    result.skin = 0;
    for (const std::uint32_t corner : triangles) {
      if (corner >= vertices.size()) {
        return fail(ErrorCode::InvalidInput,
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
        return fail(ErrorCode::InvalidInput,
                    fmt::format("line {}: this vertex asks for weights {} to {} of {}", vertex.line,
                                vertex.firstWeight, end, weights.size()));
      }
      addVertex(vertex, weights, mesh);
    }
    computeNormals(mesh);
    if (!shader.empty()) mesh.material = addMaterial(shader);
    scene_.meshes.push_back(std::move(result));
    return {};
  }

  void addVertex(const Vertex& vertex, const std::vector<Weight>& weights, Mesh& mesh) {
    glm::dvec3 place(0.0);
    double sum = 0.0;
    glm::dvec3 low(1e300);
    glm::dvec3 high(-1e300);
    for (int w = 0; w < vertex.weightCount; ++w) {
      const Weight& weight = weights[static_cast<std::size_t>(vertex.firstWeight + w)];
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
      auto picture = decodePicture(*bytes, cleanText(name));
      if (!picture) {
        scene_.notes.push_back(
            {Note::Level::Warning, "PictureUnreadable", picture.error().message});
        continue;
      }
      material.basePicture = static_cast<int>(scene_.pictures.size());
      scene_.pictures.push_back(std::move(*picture));
      break;
    }
    scene_.materials.push_back(std::move(material));
    return static_cast<int>(scene_.materials.size()) - 1;
  }

  void noteWeightsApart() {
    if (verticesApart_ == 0) return;
    scene_.notes.push_back(
        {Note::Level::Warning, "WeightsApart",
         fmt::format("the weights of {} vertices put them at places up to {:.3g} units apart at "
                     "bind; each is skinned from their mean, which may differ in motion",
                     verticesApart_, widestApart_)});
  }

  TextScan scan_;
  SourceFolder& folder_;
  SourceScene scene_;
  std::vector<Trs> binds_;  // one per joint, in file space
  int jointCount_ = 0;
  int meshCount_ = 0;
  int verticesApart_ = 0;
  double widestApart_ = 0.0;
};

}  // namespace

bool looksLikeMd5Mesh(const RigHead& head) {
  return head.start.starts_with("MD5Version") &&
         (head.holds("numMeshes") || (head.isNamedSo && !head.holds("numFrames")));
}

Result<SourceScene> readMd5Mesh(const RigSource& source) {
  return MeshReader(source.text(), source.folder).run();
}

}  // namespace ck::worker
