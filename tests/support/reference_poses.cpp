#include "tests/support/reference_poses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"

namespace ck::test {
namespace {

using Json = nlohmann::json;

glm::dvec3 vectorOf(const Json& json, std::size_t first = 0) {
  return {json.at(first).get<double>(), json.at(first + 1).get<double>(),
          json.at(first + 2).get<double>()};
}

// Positions come as a flat list or as a list of triples.
std::vector<glm::dvec3> points(const Json& json) {
  std::vector<glm::dvec3> result;
  if (!json.empty() && json.front().is_array()) {
    for (const Json& point : json) result.push_back(vectorOf(point));
  } else {
    for (std::size_t i = 0; i + 2 < json.size(); i += 3) result.push_back(vectorOf(json, i));
  }
  return result;
}

glm::dmat4 matrixOf(const Json& json) {
  glm::dmat4 matrix(1.0);
  for (std::size_t i = 0; i < 16; ++i) {
    matrix[static_cast<int>(i / 4)][static_cast<int>(i % 4)] = json.at(i).get<double>();
  }
  return matrix;
}

double largest(const glm::dmat4& m) {
  double most = 0.0;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) most = std::max(most, std::abs(m[c][r]));
  }
  return most;
}

std::string sanitised(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  std::erase_if(name,
                [](char c) { return c == '.' || c == ':' || c == '/' || c == '[' || c == ']'; });
  return name;
}

// A point of a mesh as the file has it, in the file's units as they are read.
glm::dvec3 asInFile(const Mesh& mesh, const glm::dvec3& point) {
  return glm::inverse(mesh.bindStretch) * point / mesh.bindScale;
}

// A vertex of the character, and how far it has been off so far.
struct Vertex {
  int mesh = -1;
  std::size_t index = 0;
  double worst = 0.0;  // relative to the model's size
  std::string where = {};
};

// Vertices that may be one of the reference: several lie at one place at bind where faces meet or
// meshes are copied. Over all poses, the one that fits best counts. Empty for none.
using Candidates = std::vector<Vertex>;

class Comparer {
 public:
  Comparer(const Character& character, const Json& json, const PoseComparison& how)
      : character_(character), json_(json), how_(how), set_(morphSetOf(character)) {
    if (how.inFileSpace) toModel_ = character.source.sourceToModel;
  }

  PoseDifference run() {
    if (json_.contains("rest")) measureSize(json_.at("rest"));
    for (const Json& sample : json_.value("clips", Json::array())) measureSize(sample);
    matchVertices();
    matchUnnamedJoints();
    if (json_.contains("rest")) comparePose(json_.at("rest"), nullptr, 0.0, "rest");
    for (const Json& sample : json_.value("clips", Json::array())) compareSample(sample);
    findWorstVertex();
    return std::move(result_);
  }

 private:
  void measureSize(const Json& pose) {
    glm::dvec3 low(1e30);
    glm::dvec3 high(-1e30);
    const auto widen = [&](const glm::dvec3& p) {
      low = glm::min(low, p);
      high = glm::max(high, p);
    };
    for (const Json& mesh : pose.value("meshes", Json::array())) {
      for (const glm::dvec3& p : points(mesh.at("positions"))) widen(transformPoint(toModel_, p));
    }
    for (const Json& joint : pose.value("joints", Json::array())) {
      if (joint.contains("matrix"))
        widen(transformPoint(toModel_, glm::dvec3(matrixOf(joint["matrix"])[3])));
    }
    if (high.x >= low.x) size_ = std::max(size_, glm::length(high - low));
  }

  // Our vertex for each sampled vertex of the reference.
  void matchVertices() {
    const Json* pose = nullptr;
    if (json_.contains("rest") && !json_.at("rest").value("meshes", Json::array()).empty()) {
      pose = &json_.at("rest");
    } else if (!json_.value("clips", Json::array()).empty()) {
      pose = &json_.at("clips").front();
    }
    if (pose == nullptr) return;
    const Json meshes = pose->value("meshes", Json::array());
    const Json bind = json_.value("bind", Json::array());
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      std::vector<glm::dvec3> places;
      const Json* list = nullptr;
      if (m < bind.size() && bind[m].contains("meshPositions")) list = &bind[m]["meshPositions"];
      if (meshes[m].contains("meshPositions")) list = &meshes[m]["meshPositions"];
      if (list != nullptr) places = points(*list);
      for (glm::dvec3& p : places) p = transformPoint(character_.source.sourceToModel, p);
      ourVertices_.push_back(how_.vertexOrderKept ? byIndex(meshes[m], places)
                                                  : byPlace(meshes[m], places));
      if (ourVertices_.back().empty()) {
        result_.skipped += fmt::format(" mesh {} ({})", m, meshes[m].value("name", ""));
      }
    }
  }

  // The mesh with as many vertices and, where the reference has them, equal positions at bind.
  std::vector<Candidates> byIndex(const Json& reference, const std::vector<glm::dvec3>& places) {
    const auto indices = reference.at("vertexIndices").get<std::vector<std::size_t>>();
    const std::vector<glm::dvec3> resting =
        json_.contains("rest") ? points(reference.at("positions")) : std::vector<glm::dvec3>();
    const auto rest = skinMatrices(character_.rig, restMatrices(character_.rig));
    int best = -1;
    double bestDistance = 1e30;
    for (std::size_t i = 0; i < character_.meshes.size(); ++i) {
      const Mesh& mesh = character_.meshes[i];
      if (used_.contains(static_cast<int>(i))) continue;
      if (reference.at("vertexCount").get<std::size_t>() != mesh.positions.size()) continue;
      double worst = 0.0;
      for (std::size_t k = 0; k < indices.size() && k < places.size(); ++k) {
        const glm::dvec3 ours(mesh.positions.at(indices[k]));
        worst = std::max(worst, glm::distance(asInFile(mesh, ours), places[k]));
      }
      // Copies of one mesh are told apart by where they rest.
      const SkinnedMesh posed = skinMesh(mesh, rest, {.morphWeights = mesh.defaultMorphWeights});
      for (std::size_t k = 0; k < indices.size() && k < resting.size(); ++k) {
        const glm::dvec3 expected = transformPoint(toModel_, resting[k]);
        worst = std::max(worst, 0.1 * glm::distance(posed.positions.at(indices[k]), expected));
      }
      if (worst < bestDistance) {
        bestDistance = worst;
        best = static_cast<int>(i);
      }
    }
    if (best < 0) return {};
    used_.insert(best);
    std::vector<Candidates> vertices;
    for (const std::size_t index : indices) vertices.push_back({{best, index}});
    return vertices;
  }

  // The vertex nearest at bind, in the meshes of that name where there are any.
  std::vector<Candidates> byPlace(const Json& reference, const std::vector<glm::dvec3>& places) {
    const std::string name = sanitised(reference.value("name", ""));
    bool anyNamed = false;
    for (const Mesh& mesh : character_.meshes) {
      anyNamed = anyNamed || sanitised(mesh.name).starts_with(name);
    }
    std::vector<Candidates> vertices;
    for (const glm::dvec3& place : places) {
      Candidates best;
      double bestDistance = 1e30;
      for (std::size_t i = 0; i < character_.meshes.size(); ++i) {
        const Mesh& mesh = character_.meshes[i];
        if (anyNamed && !sanitised(mesh.name).starts_with(name)) continue;
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
          const double distance =
              glm::distance(asInFile(mesh, glm::dvec3(mesh.positions[v])), place);
          if (distance > bestDistance + 1e-6 * size_) continue;
          if (distance < bestDistance - 1e-6 * size_) best.clear();
          bestDistance = std::min(bestDistance, distance);
          best.push_back({static_cast<int>(i), v});
        }
      }
      vertices.push_back(bestDistance < 1e-3 * size_ ? best : Candidates());
    }
    return vertices;
  }

  // Joints without names are told by where they rest.
  void matchUnnamedJoints() {
    if (!json_.contains("rest")) return;
    const std::vector<glm::dmat4> rest = restMatrices(character_.rig);
    std::set<std::size_t> used;
    const Json joints = json_.at("rest").value("joints", Json::array());
    for (const Json& joint : joints) {
      unnamed_.push_back(-1);
      if (!joint.value("name", "").empty() || !joint.contains("matrix")) continue;
      const glm::dmat4 expected = toModel_ * matrixOf(joint["matrix"]);
      double bestDistance = 1e30;
      std::size_t best = 0;
      for (std::size_t j = 0; j < rest.size(); ++j) {
        const double distance = largest(rest[j] - expected);
        if (used.contains(j) || distance >= bestDistance) continue;
        bestDistance = distance;
        best = j;
      }
      if (bestDistance < 1e-3 * size_ + 1e-3 && used.insert(best).second) {
        unnamed_.back() = static_cast<int>(best);
      }
    }
  }

  std::optional<int> jointOf(const Json& joints, std::size_t index) {
    const std::string name = joints[index].value("name", "");
    if (name.empty()) {
      if (index >= unnamed_.size() || unnamed_[index] < 0) return std::nullopt;
      return unnamed_[index];
    }
    if (const auto joint = findJoint(character_.rig, name)) return joint;
    for (std::size_t j = 0; j < character_.rig.joints.size(); ++j) {
      if (sanitised(character_.rig.joints[j].name) == sanitised(name)) return static_cast<int>(j);
    }
    return std::nullopt;
  }

  void compareSample(const Json& sample) {
    if (how_.skipBetweenFrames && sample.value("betweenFrames", false)) return;
    const std::size_t index = sample.value("clipIndex", std::size_t{0});
    const std::string name = sample.value("clip", "");
    const Clip* clip = nullptr;
    for (const Clip& candidate : character_.clips) {
      const std::string& inFile =
          candidate.nameInFile.empty() ? candidate.name : candidate.nameInFile;
      if (inFile == name && clip == nullptr) clip = &candidate;
    }
    const std::size_t total = json_.contains("summary") && json_["summary"].contains("clips")
                                  ? json_["summary"]["clips"].size()
                                  : character_.clips.size();
    if (total == character_.clips.size() && index < total) clip = &character_.clips[index];
    if (clip == nullptr && !how_.restWithoutClip) {
      result_.skipped += fmt::format(" clip {} '{}'", index, name);
      return;
    }
    const double time = sample.at("time").get<double>();
    comparePose(sample, clip, time, fmt::format("{} at {:.3f} s", name, time));
  }

  void comparePose(const Json& pose, const Clip* clip, double time, const std::string& where) {
    const auto globals =
        clip == nullptr ? restMatrices(character_.rig)
                        : globalMatrices(character_.rig, sampleClip(character_.rig, *clip, time));
    const Json joints = pose.value("joints", Json::array());
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const auto ours = jointOf(joints, j);
      const std::string name = joints[j].value("name", "");
      if (!ours) {
        if (clip == nullptr || !json_.contains("rest")) result_.missingJoints.push_back(name);
        continue;
      }
      if (!joints[j].contains("matrix")) continue;
      compareJoint(globals[static_cast<std::size_t>(*ours)],
                   toModel_ * matrixOf(joints[j]["matrix"]), where + ", " + name);
    }
    const auto skins = skinMatrices(character_.rig, globals);
    const Json meshes = pose.value("meshes", Json::array());
    std::map<int, SkinnedMesh> posed;
    for (std::size_t m = 0; m < meshes.size() && m < ourVertices_.size(); ++m) {
      for (const Candidates& candidates : ourVertices_[m]) {
        for (const Vertex& vertex : candidates) {
          if (posed.contains(vertex.mesh)) continue;
          posed[vertex.mesh] = posedMesh(vertex.mesh, clip, time, skins);
          if (how_.morph) compareWeights(meshes[m], vertex.mesh, clip, time);
        }
      }
      compareMesh(meshes[m], ourVertices_[m], posed, where);
    }
  }

  SkinnedMesh posedMesh(int index, const Clip* clip, double time,
                        const std::vector<glm::dmat4>& skins) const {
    const Mesh& mesh = character_.meshes[static_cast<std::size_t>(index)];
    if (how_.morph) {
      Mesh morphed = mesh;
      morphed.positions = how_.morph(index, weightsAt(clip, time));
      morphed.morphTargets.clear();
      morphed.defaultMorphWeights.clear();
      return skinMesh(morphed, skins, {});
    }
    const std::vector<float> weights = clip == nullptr
                                           ? mesh.defaultMorphWeights
                                           : sampleMorphWeights(character_, *clip, index, time);
    return skinMesh(mesh, skins, {.morphWeights = weights});
  }

  std::vector<float> weightsAt(const Clip* clip, double time) const {
    return clip == nullptr ? defaultWeights(set_) : sampleMorphs(set_, *clip, time);
  }

  // In the order of the mesh's targets, or by names, which may have a node's in front.
  void compareWeights(const Json& reference, int mesh, const Clip* clip, double time) {
    if (!reference.contains("morphWeights")) return;
    const Json& due = reference["morphWeights"];
    const std::vector<float> all = weightsAt(clip, time);
    const std::vector<float> ours = weightsOfMesh(set_, character_, mesh, all);
    for (std::size_t i = 0; i < due.size(); ++i) {
      std::optional<float> weight;
      if (due[i].is_number() && due.size() == ours.size()) weight = ours[i];
      if (due[i].is_object()) weight = weightOf(all, due[i].at("name").get<std::string>());
      if (!weight) continue;
      const double expected = (due[i].is_object() ? due[i].at("weight") : due[i]).get<double>();
      ++result_.weightsCompared;
      result_.weights =
          std::max(result_.weights, std::abs(expected - static_cast<double>(*weight)));
    }
  }

  std::optional<float> weightOf(const std::vector<float>& weights, std::string name) const {
    std::vector<int> morphs = morphsNamed(set_, name);
    if (morphs.empty()) morphs = morphsNamed(set_, name.substr(name.rfind('.') + 1));
    if (morphs.empty()) return std::nullopt;
    return weights[static_cast<std::size_t>(morphs.front())];
  }

  void compareJoint(const glm::dmat4& ours, const glm::dmat4& reference, const std::string& where) {
    ++result_.jointsCompared;
    const glm::dmat4 difference = ours - reference;
    const double axes =
        std::max({glm::length(glm::dvec3(difference[0])), glm::length(glm::dvec3(difference[1])),
                  glm::length(glm::dvec3(difference[2]))});
    const double scale = std::max(1e-12, largest(glm::dmat4(glm::dmat3(reference))));
    const double relative = std::max(axes / std::max(scale, 1.0 * axesFloor()),
                                     glm::length(glm::dvec3(difference[3])) / size_);
    if (relative > result_.joints) {
      result_.joints = relative;
      result_.worstJoint = where;
    }
  }

  // Matrices of joints that are scaled to almost nothing are compared against 1.
  static double axesFloor() { return 1e-3; }

  void compareMesh(const Json& reference, std::vector<Candidates>& vertices,
                   const std::map<int, SkinnedMesh>& posed, const std::string& where) {
    const std::vector<glm::dvec3> expected = points(reference.at("positions"));
    for (std::size_t i = 0; i < vertices.size() && i < expected.size(); ++i) {
      if (vertices[i].empty()) ++result_.verticesUnmatched;
      bool compared = false;
      for (Vertex& vertex : vertices[i]) {
        const Mesh& mesh = character_.meshes[static_cast<std::size_t>(vertex.mesh)];
        if (json_.contains("influencesCutTo4") && json_["influencesCutTo4"] == true &&
            maxInfluences(mesh) > 4) {
          continue;
        }
        compared = true;
        const double distance = glm::distance(posed.at(vertex.mesh).positions.at(vertex.index),
                                              transformPoint(toModel_, expected[i])) /
                                size_;
        if (distance <= vertex.worst) continue;
        vertex.worst = distance;
        vertex.where = fmt::format("{}, {} vertex {}", where, mesh.name, vertex.index);
      }
      result_.verticesCompared += compared ? 1 : 0;
    }
  }

  void findWorstVertex() {
    for (const auto& mesh : ourVertices_) {
      for (const Candidates& candidates : mesh) {
        if (candidates.empty()) continue;
        const Vertex& best =
            *std::min_element(candidates.begin(), candidates.end(),
                              [](const Vertex& a, const Vertex& b) { return a.worst < b.worst; });
        if (best.worst <= result_.vertices) continue;
        result_.vertices = best.worst;
        result_.worstVertex = best.where;
      }
    }
  }

  const Character& character_;
  const Json& json_;
  PoseComparison how_;
  MorphSet set_;
  glm::dmat4 toModel_{1.0};
  std::vector<std::vector<Candidates>> ourVertices_;
  std::set<int> used_;
  std::vector<int> unnamed_;
  double size_ = 1e-9;
  PoseDifference result_;
};

}  // namespace

PoseDifference comparePoses(const Character& character, const std::filesystem::path& reference,
                            const PoseComparison& how) {
  std::ifstream file(reference);
  if (!file) throw std::runtime_error("cannot read " + pathText(reference));
  const Json json = Json::parse(file);
  return Comparer(character, json, how).run();
}

std::vector<std::filesystem::path> filesBelow(const std::filesystem::path& folder,
                                              const std::string& ending) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (pathText(entry.path()).ends_with(ending)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace ck::test
