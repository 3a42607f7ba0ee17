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
#include "core/base/files.h"
#include "core/skinning/cpu_skinning.h"

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

class Comparer {
 public:
  Comparer(const Character& character, const Json& json, const PoseComparison& how)
      : character_(character), json_(json), how_(how) {
    if (how.inFileSpace) toModel_ = character.source.sourceToModel;
  }

  PoseDifference run() {
    matchMeshesByBind();
    if (json_.contains("rest")) measureSize(json_.at("rest"));
    for (const Json& sample : json_.value("clips", Json::array())) measureSize(sample);
    if (json_.contains("rest")) comparePose(json_.at("rest"), nullptr, 0.0, "rest");
    for (const Json& sample : json_.value("clips", Json::array())) compareSample(sample);
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

  // Our mesh for each mesh of the reference: equal number of vertices and, where the reference has
  // them, equal positions before skinning.
  void matchMeshesByBind() {
    const Json* pose = nullptr;
    if (json_.contains("rest") && !json_.at("rest").value("meshes", Json::array()).empty()) {
      pose = &json_.at("rest");
    } else if (!json_.value("clips", Json::array()).empty()) {
      pose = &json_.at("clips").front();
    }
    if (pose == nullptr) return;
    const Json& meshes = pose->at("meshes");
    const Json bind = json_.value("bind", Json::array());
    std::set<int> used;
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      const Json* list = nullptr;
      if (m < bind.size() && bind[m].contains("meshPositions")) list = &bind[m]["meshPositions"];
      if (meshes[m].contains("meshPositions")) list = &meshes[m]["meshPositions"];
      int best = -1;
      double bestDistance = 1e30;
      for (std::size_t i = 0; i < character_.meshes.size(); ++i) {
        if (used.contains(static_cast<int>(i))) continue;
        const double distance = bindDistance(meshes[m], list, character_.meshes[i]);
        if (distance < bestDistance) {
          bestDistance = distance;
          best = static_cast<int>(i);
        }
      }
      if (best >= 0) used.insert(best);
      ourMesh_.push_back(best);
      if (best < 0) result_.skipped += fmt::format(" mesh {} ({})", m, meshes[m].value("name", ""));
    }
  }

  double bindDistance(const Json& reference, const Json* bind, const Mesh& mesh) const {
    if (reference.at("vertexCount").get<std::size_t>() != mesh.positions.size()) return 1e30;
    if (bind == nullptr) return 0.0;
    const std::vector<glm::dvec3> expected = points(*bind);
    const auto indices = reference.at("vertexIndices").get<std::vector<std::size_t>>();
    double worst = 0.0;
    for (std::size_t i = 0; i < indices.size() && i < expected.size(); ++i) {
      const glm::dvec3 position(mesh.positions.at(indices[i]));
      worst = std::max(worst, glm::distance(position, transformPoint(toModel_, expected[i])));
    }
    return worst;
  }

  std::optional<int> jointOf(const Json& joints, std::size_t index) {
    const std::string name = joints[index].value("name", "");
    if (name.empty()) {
      // Without names the order of the hierarchy has to do.
      const bool sameCount = joints.size() == character_.rig.joints.size();
      return sameCount ? std::optional<int>(static_cast<int>(index)) : std::nullopt;
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
      if (candidate.name == name && clip == nullptr) clip = &candidate;
    }
    const std::size_t total = json_.contains("summary") && json_["summary"].contains("clips")
                                  ? json_["summary"]["clips"].size()
                                  : character_.clips.size();
    if (total == character_.clips.size() && index < total) clip = &character_.clips[index];
    if (clip == nullptr) {
      result_.skipped += fmt::format(" clip {} '{}'", index, name);
      return;
    }
    double time = sample.at("time").get<double>();
    if (how_.timesFromClipStart) time -= sample.value("clipStart", 0.0);
    comparePose(sample, clip, time, fmt::format("{} at {:.3f} s", clip->name, time));
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
    for (std::size_t m = 0; m < meshes.size() && m < ourMesh_.size(); ++m) {
      if (ourMesh_[m] >= 0) compareMesh(meshes[m], ourMesh_[m], clip, time, skins, where);
    }
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

  void compareMesh(const Json& reference, int index, const Clip* clip, double time,
                   const std::vector<glm::dmat4>& skins, const std::string& where) {
    const Mesh& mesh = character_.meshes[static_cast<std::size_t>(index)];
    if (json_.value("influencesCutTo4", false) && maxInfluences(mesh) > 4) {
      if (result_.skipped.find("influences") == std::string::npos) {
        result_.skipped += " vertices (the reference has only 4 influences)";
      }
      return;
    }
    const std::vector<float> weights = clip == nullptr
                                           ? mesh.defaultMorphWeights
                                           : sampleMorphWeights(character_, *clip, index, time);
    const SkinnedMesh posed = skinMesh(mesh, skins, {.morphWeights = weights});
    const std::vector<glm::dvec3> expected = points(reference.at("positions"));
    const auto indices = reference.at("vertexIndices").get<std::vector<std::size_t>>();
    for (std::size_t i = 0; i < indices.size() && i < expected.size(); ++i) {
      ++result_.verticesCompared;
      const double distance =
          glm::distance(posed.positions.at(indices[i]), transformPoint(toModel_, expected[i])) /
          size_;
      if (distance > result_.vertices) {
        result_.vertices = distance;
        result_.worstVertex = fmt::format("{}, {} vertex {}", where, mesh.name, indices[i]);
      }
    }
  }

  const Character& character_;
  const Json& json_;
  PoseComparison how_;
  glm::dmat4 toModel_{1.0};
  std::vector<int> ourMesh_;
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
