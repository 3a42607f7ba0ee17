#include "core/import/worker/fbx/fbx_nodes.h"

#include <cmath>

#include "core/import/split_joints.h"
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

// The properties of an object that clips move.
struct Moves {
  bool scale = false;
  bool shows = false;  // at some key
  bool hides = false;
};

std::vector<Moves> movesOf(const FbxScene& file, const std::vector<FbxAnimation>& animations) {
  std::vector<Moves> moves(file.objects.size());
  for (const FbxAnimation& animation : animations) {
    for (const FbxAnimated& animated : animation.properties) {
      Moves& own = moves[static_cast<std::size_t>(animated.object)];
      own.scale = own.scale || animated.property == "Lcl Scaling";
      if (animated.property != "Visibility") continue;
      std::vector<double> times = {animation.from, animation.to};
      animation.addTimes(&animated, times);
      for (const double time : times) {
        const bool shown = animation.valueOf(&animated, glm::dvec3(1.0), time, 0).x != 0.0;
        (shown ? own.shows : own.hides) = true;
      }
    }
  }
  return moves;
}

// Sets what clips and the file say about the visibility of a model. Its parent must be set already.
void setVisibility(const FbxScene& file, const std::vector<Moves>& moves,
                   std::vector<FbxModel>& models, FbxModel& model) {
  const FbxObject& object = file.at(model.object);
  const Moves& own = moves[static_cast<std::size_t>(model.object)];
  const bool atRest = fbxNumber(object, "Visibility").value_or(1.0) != 0.0;
  model.hidden = !atRest && !own.shows;
  model.blinks = (own.shows && own.hides) || (atRest ? own.hides : own.shows);
  const bool inherits = fbxNumber(object, "Visibility Inheritance").value_or(1.0) != 0.0;
  if (model.parent < 0 || !inherits) return;
  const FbxModel& parent = models[static_cast<std::size_t>(model.parent)];
  model.hidden = model.hidden || parent.hidden;
  model.blinks = model.blinks || parent.blinks;
}

// All models as they rest.
struct Rest {
  const std::vector<FbxModel>& models;
  const FbxScales& scales;

  const FbxTransform& of(int model) const {
    return models[static_cast<std::size_t>(model)].transform;
  }
  glm::dvec3 translation(int model) const { return of(model).translation; }
  glm::dvec3 degrees(int model) const { return of(model).degrees; }
  glm::dvec3 scale(int model) const { return of(model).scale; }
  glm::dvec3 inherited(int model) const { return scales.inheritedAtRest(model); }
};

// A parent needs two nodes if a child leaves out its scale and that scale is not 1 at all times.
std::vector<char> splitModels(const FbxNodes& nodes, const std::vector<Moves>& moves) {
  std::vector<char> scales(nodes.models.size(), 0);  // with the scale that the model inherits
  std::vector<char> split(nodes.models.size(), 0);
  for (const int m : nodes.order) {
    const FbxModel& model = nodes.models[static_cast<std::size_t>(m)];
    const bool above =
        !model.inheritsPlainly() && scales[static_cast<std::size_t>(model.parent)] != 0;
    if (above) split[static_cast<std::size_t>(model.parent)] = 1;
    scales[static_cast<std::size_t>(m)] = above || model.transform.scale != glm::dvec3(1.0) ||
                                          moves[static_cast<std::size_t>(model.object)].scale;
  }
  return split;
}

}  // namespace

Result<FbxNodes> addFbxNodes(const FbxScene& file, const std::vector<FbxAnimation>& animations,
                             SourceScene& scene) {
  setSpace(file.settings, scene.source);
  const std::vector<Moves> moves = movesOf(file, animations);
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
  nodes.order = parentsFirst(scene.nodes);
  if (nodes.order.size() < scene.nodes.size()) {
    return fail(ErrorCode::InvalidInput,
                "its hierarchy goes in a circle: a node is its own ancestor; export it again");
  }
  for (const int m : nodes.order) {
    setVisibility(file, moves, nodes.models, nodes.models[static_cast<std::size_t>(m)]);
  }
  const std::vector<char> split = splitModels(nodes, moves);
  const FbxScales scales = nodes.scales([](int) { return false; });
  const Rest rest{nodes.models, scales};
  for (std::size_t m = 0; m < nodes.models.size(); ++m) {
    FbxModel& model = nodes.models[m];
    model.whole = model.frame = static_cast<int>(m);
    const int number = static_cast<int>(m);
    scene.nodes[m].rest = {.translation = nodes.translationOf(number, rest),
                           .rotation = model.transform.rotation(model.transform.degrees),
                           .scale = nodes.scaleOf(number, rest)};
  }
  for (std::size_t m = 0; m < nodes.models.size(); ++m) {
    if (!split[m]) continue;
    FbxModel& model = nodes.models[m];
    model.frame = static_cast<int>(scene.nodes.size());
    SourceNode& whole = scene.nodes[static_cast<std::size_t>(model.whole)];
    SourceNode frame;
    frame.name = whole.name + std::string(kUnscaled);
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
