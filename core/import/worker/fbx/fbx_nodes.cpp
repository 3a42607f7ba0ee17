#include "core/import/worker/fbx/fbx_nodes.h"

#include <cmath>

#include "core/import/worker/assembly/rig_assembly.h"

namespace ck::worker {
namespace {

// Sets the matrix row of model axis `target` to a file axis, e.g. Y to the file's up axis.
void setAxis(glm::dmat4& matrix, int target, int axis, int sign, double unit) {
  if (axis < 0 || axis > 2) axis = target;
  for (int c = 0; c < 3; ++c) matrix[c][target] = 0.0;
  matrix[axis][target] = (sign < 0 ? -1.0 : 1.0) * unit;
}

void setSpace(const FbxNode* settings, SourceInfo& info) {
  const auto whole = [settings](std::string_view name, int otherwise) {
    const double value = fbxNumber(settings, name).value_or(otherwise);
    return std::abs(value) < 100.0 ? static_cast<int>(value) : otherwise;
  };
  double factor = fbxNumber(settings, "UnitScaleFactor").value_or(1.0);
  if (!(factor > 1e-9 && factor < 1e9)) factor = 1.0;
  info.unitScale = factor * 0.01;  // the factor is in centimetres
  const int up = whole("UpAxis", 1);
  setAxis(info.sourceToModel, 0, whole("CoordAxis", 0), whole("CoordAxisSign", 1), info.unitScale);
  setAxis(info.sourceToModel, 1, up, whole("UpAxisSign", 1), info.unitScale);
  setAxis(info.sourceToModel, 2, whole("FrontAxis", 2), whole("FrontAxisSign", 1), info.unitScale);
  // Invalid if two axes have the same direction.
  if (std::abs(glm::determinant(glm::dmat3(info.sourceToModel))) <
      0.5 * std::pow(info.unitScale, 3.0)) {
    info.sourceToModel = toMatrix({.scale = glm::dvec3(info.unitScale)});
  }
  info.upAxis = up == 0 ? "X" : up == 2 ? "Z" : "Y";
}

bool isHidden(const FbxScene& file, const std::vector<FbxModel>& models, int model) {
  for (int m = model; m >= 0; m = models[static_cast<std::size_t>(m)].parent) {
    const FbxObject& object = file.at(models[static_cast<std::size_t>(m)].object);
    if (fbxNumber(object, "Visibility").value_or(1.0) == 0.0) return true;
    if (fbxNumber(object, "Visibility Inheritance").value_or(1.0) == 0.0) return false;
  }
  return false;
}

}  // namespace

Result<FbxNodes> addFbxNodes(const FbxScene& file, const std::vector<char>& scaleMoves,
                             SourceScene& scene) {
  setSpace(file.settings, scene.source);
  FbxNodes nodes;
  nodes.modelOf.assign(file.objects.size(), -1);
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    if (file.objects[o].kind != "Model") continue;
    nodes.modelOf[o] = static_cast<int>(nodes.models.size());
    nodes.models.push_back(
        {.object = static_cast<int>(o), .transform = fbxTransformOf(file.objects[o])});
  }
  for (FbxModel& model : nodes.models) {
    const int parent = file.targetOf(model.object, "Model");
    const bool isTop = file.isTop[static_cast<std::size_t>(model.object)];
    if (parent >= 0 && !isTop) model.parent = nodes.modelOf[static_cast<std::size_t>(parent)];
    SourceNode& node = scene.nodes.emplace_back();
    node.name = file.at(model.object).name;
    node.parent = model.parent;
  }
  if (parentsFirst(scene.nodes).size() < scene.nodes.size()) {
    return fail(ErrorCode::InvalidInput,
                "its hierarchy goes in a circle: a node is its own ancestor; export it again");
  }
  // A parent needs two nodes if a child leaves out its scale and that scale is not 1 at all times.
  std::vector<char> split(nodes.models.size(), 0);
  for (const FbxModel& model : nodes.models) {
    if (model.inheritsPlainly()) continue;
    for (int m = model.parent; m >= 0; m = nodes.models[static_cast<std::size_t>(m)].parent) {
      const FbxModel& parent = nodes.models[static_cast<std::size_t>(m)];
      const bool scales = parent.transform.scale != glm::dvec3(1.0) ||
                          scaleMoves[static_cast<std::size_t>(parent.object)];
      if (scales) split[static_cast<std::size_t>(model.parent)] = 1;
      if (parent.inheritsPlainly()) break;
    }
  }
  const auto restOf = [&nodes](int m) {
    const FbxTransform& t = nodes.models[static_cast<std::size_t>(m)].transform;
    return FbxNodes::Local{t.translation, t.degrees, t.scale};
  };
  for (std::size_t m = 0; m < nodes.models.size(); ++m) {
    FbxModel& model = nodes.models[m];
    model.whole = model.frame = static_cast<int>(m);
    model.hidden = isHidden(file, nodes.models, static_cast<int>(m));
    scene.nodes[m].rest = nodes.poseOf(static_cast<int>(m), restOf);
  }
  for (std::size_t m = 0; m < nodes.models.size(); ++m) {
    if (!split[m]) continue;
    FbxModel& model = nodes.models[m];
    model.frame = static_cast<int>(scene.nodes.size());
    SourceNode& whole = scene.nodes[static_cast<std::size_t>(model.whole)];
    SourceNode frame;
    frame.name = whole.name + " (unscaled)";
    frame.rest = {.translation = whole.rest.translation, .rotation = whole.rest.rotation};
    whole.rest = {.scale = whole.rest.scale};
    whole.parent = model.frame;
    scene.nodes.push_back(std::move(frame));
  }
  for (const FbxModel& model : nodes.models) {
    if (model.parent < 0) continue;
    const FbxModel& parent = nodes.models[static_cast<std::size_t>(model.parent)];
    scene.nodes[static_cast<std::size_t>(model.frame)].parent =
        model.inheritsPlainly() ? parent.whole : parent.frame;
  }
  return nodes;
}

}  // namespace ck::worker
