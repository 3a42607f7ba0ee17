#include "core/import/worker/fbx/fbx_animation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/import/character_file.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

// Component of "d|X", "d|Y", "d|Z"; other names have one component.
std::size_t componentOf(std::string_view property) {
  return property.ends_with("|Y") ? 1 : property.ends_with("|Z") ? 2 : 0;
}

glm::dvec3 constantsOf(const FbxObject& curveNode) {
  glm::dvec3 constants(0.0);
  if (curveNode.properties == nullptr) return constants;
  for (const FbxNode& entry : curveNode.properties->children()) {
    if (entry.text(0).starts_with("d|") && std::isfinite(entry.number(4))) {
      constants[static_cast<int>(componentOf(entry.text(0)))] = entry.number(4);
    }
  }
  return constants;
}

// Reads the curves that are not there.
void readCurvesOf(FbxLayerCurves& layer) {
  for (std::size_t c = 0; c < layer.nodes.size(); ++c) {
    if (layer.nodes[c] == nullptr || layer.curves[c]) continue;
    KeyCurve curve = readFbxCurve(*layer.nodes[c], layer.ticksPerSecond, layer.badKeys);
    if (!curve.keys.empty()) layer.curves[c] = std::move(curve);
  }
}

class Reader {
 public:
  Reader(const FbxScene& file, Notes& notes) : file_(file), notes_(notes) {}

  FbxAnimation read(int stack) {
    FbxAnimation animation;
    animation.name = file_.at(stack).name;
    for (const int layer : file_.sourcesOf(stack, "AnimationLayer")) {
      if (fbxNumber(file_.at(layer), "Mute").value_or(0.0) != 0.0) continue;
      addLayer(layer, animation);
    }
    setRange(file_.at(stack), animation);
    return animation;
  }

 private:
  void addLayer(int object, FbxAnimation& animation) {
    const FbxObject& source = file_.at(object);
    FbxLayer layer;
    const double mode = fbxNumber(source, "BlendMode").value_or(0.0);
    layer.blend = mode == 0.0   ? FbxLayer::Blend::Additive
                  : mode == 1.0 ? FbxLayer::Blend::Override
                                : FbxLayer::Blend::Mix;
    if (animation.layers.empty()) layer.blend = FbxLayer::Blend::Override;
    layer.weight = fbxNumber(source, "Weight").value_or(100.0) * 0.01;
    layer.rotationsByAngle = fbxNumber(source, "RotationAccumulationMode").value_or(0.0) == 1.0;
    layer.scalesAdd = fbxNumber(source, "ScaleAccumulationMode").value_or(0.0) == 1.0;
    const int number = static_cast<int>(animation.layers.size());
    for (const int curveNode : file_.sourcesOf(object, "AnimationCurveNode")) {
      for (const FbxLink& target : file_.targets[static_cast<std::size_t>(curveNode)]) {
        if (target.property.empty()) continue;
        FbxLayerCurves curves = curvesOf(curveNode, number);
        if (target.object == object && target.property == "Weight") {
          readCurvesOf(curves);
          layer.weightCurve = std::move(curves.curves[0]);
          layer.badKeys += curves.badKeys;
        } else {
          if (target.property == "Visibility") readCurvesOf(curves);
          place(animation, target).layers.push_back(std::move(curves));
        }
      }
    }
    animation.layers.push_back(std::move(layer));
  }

  FbxLayerCurves curvesOf(int curveNode, int layer) {
    FbxLayerCurves result;
    result.layer = layer;
    result.ticksPerSecond = file_.ticksPerSecond;
    result.constants = constantsOf(file_.at(curveNode));
    for (const FbxLink& link : file_.sources[static_cast<std::size_t>(curveNode)]) {
      if (file_.at(link.object).kind != "AnimationCurve") continue;
      result.nodes[componentOf(link.property)] = file_.at(link.object).node;
    }
    return result;
  }

  static FbxAnimated& place(FbxAnimation& animation, const FbxLink& target) {
    const auto [known, isNew] =
        animation.places.try_emplace({target.object, target.property}, animation.properties.size());
    if (isNew) {
      animation.properties.push_back(
          {.object = target.object, .property = target.property, .layers = {}});
    }
    return animation.properties[known->second];
  }

  // Older files state the range of a stack in a list of takes.
  void setRangeOfTake(FbxAnimation& animation) const {
    if (file_.takes == nullptr) return;
    for (const FbxNode& take : file_.takes->children()) {
      if (take.name() != "Take" || take.text(0) != animation.name) continue;
      const FbxNode* range = take.find("LocalTime");
      if (range == nullptr) range = take.find("ReferenceTime");
      if (range == nullptr || range->valueCount() < 2) return;
      animation.from = static_cast<double>(range->whole(0)) / file_.ticksPerSecond;
      animation.to = static_cast<double>(range->whole(1)) / file_.ticksPerSecond;
      return;
    }
  }

  void setRange(const FbxObject& stack, FbxAnimation& animation) {
    const auto seconds = [&](std::string_view name) {
      return fbxNumber(stack, name).value_or(0.0) / file_.ticksPerSecond;
    };
    animation.from = seconds("LocalStart");
    animation.to = seconds("LocalStop");
    if (!(animation.to > animation.from)) setRangeOfTake(animation);
    const double length = animation.to - animation.from;
    if (length > 0.0 && length <= kLongestClipSeconds) return;
    animation.readCurves();
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const FbxAnimated& property : animation.properties) {
      for (const FbxLayerCurves& layer : property.layers) {
        for (const auto& curve : layer.curves) {
          if (!curve) continue;
          first = std::min(first, curve->keys.front().seconds);
          last = std::max(last, curve->keys.back().seconds);
        }
      }
    }
    if (first > last) {
      animation.to = std::min(animation.to, animation.from + kLongestClipSeconds);
      return;
    }
    // A range that is too long is cut to the part that has keys.
    const bool within = length > 0.0 && first < animation.to && last > animation.from;
    animation.from = within ? std::max(first, animation.from) : first;
    animation.to = within ? std::min(last, animation.to) : last;
    if (animation.to - animation.from <= kLongestClipSeconds) return;
    animation.to = animation.from + kLongestClipSeconds - 1.0;
    warn(
        notes_, "ClipCut",
        fmt::format("clip '{}' is longer than 1,000 hours and was cut there; split it into shorter "
                    "takes",
                    cleanText(animation.name)));
  }

  const FbxScene& file_;
  Notes& notes_;
};

double power(double base, double exponent) {
  return std::copysign(std::pow(std::abs(base), exponent), base);
}

glm::dvec3 power(const glm::dvec3& base, double exponent) {
  return {power(base.x, exponent), power(base.y, exponent), power(base.z, exponent)};
}

// Puts a layer's value on top of what is below it (Autodesk, FBX SDK, FbxAnimLayer).
glm::dvec3 combined(const FbxLayer& layer, std::string_view property, const glm::dvec3& below,
                    const glm::dvec3& value, double weight, FbxOrder order) {
  if (layer.blend == FbxLayer::Blend::Override) return value;
  const bool adds = layer.blend == FbxLayer::Blend::Additive;
  if (property == "Lcl Scaling" && !layer.scalesAdd) {
    return (adds ? below : power(below, 1.0 - weight)) * power(value, weight);
  }
  if (property == "Lcl Rotation" && !layer.rotationsByAngle) {
    const glm::dquat a = fbxRotation(below, order);
    const glm::dquat b = fbxRotation(value, order);
    const glm::dquat none(1.0, 0.0, 0.0, 0.0);
    return fbxAngles(adds ? a * slerpShortest(none, b, weight) : slerpShortest(a, b, weight),
                     order);
  }
  return adds ? below + weight * value : (1.0 - weight) * below + weight * value;
}

}  // namespace

glm::dvec3 FbxLayerCurves::at(double seconds, int side) const {
  glm::dvec3 value = constants;
  for (int c = 0; c < 3; ++c) {
    const auto& curve = curves[static_cast<std::size_t>(c)];
    if (curve) value[c] = curve->at(seconds, side);
  }
  return value;
}

void FbxAnimation::readCurves() {
  for (FbxAnimated& animated : properties) {
    for (FbxLayerCurves& layer : animated.layers) readCurvesOf(layer);
  }
}

void FbxAnimation::dropCurves() {
  for (FbxAnimated& animated : properties) {
    if (animated.property == "Visibility") continue;
    for (FbxLayerCurves& layer : animated.layers) {
      layer.curves = {};
      layer.badKeys = 0;
    }
  }
}

int FbxAnimation::badKeys() const {
  int count = 0;
  for (const FbxLayer& layer : layers) count += layer.badKeys;
  for (const FbxAnimated& animated : properties) {
    for (const FbxLayerCurves& layer : animated.layers) count += layer.badKeys;
  }
  return count;
}

const FbxAnimated* FbxAnimation::find(int object, std::string_view property) const {
  const auto found = places.find({object, property});
  return found == places.end() ? nullptr : &properties[found->second];
}

glm::dvec3 FbxAnimation::valueOf(const FbxAnimated* animated, const glm::dvec3& rest,
                                 double seconds, int side, FbxOrder order) const {
  glm::dvec3 value = rest;
  if (animated == nullptr) return value;
  for (const FbxLayerCurves& curves : animated->layers) {
    const FbxLayer& layer = layers[static_cast<std::size_t>(curves.layer)];
    const double weight =
        layer.weightCurve ? layer.weightCurve->at(seconds, side) * 0.01 : layer.weight;
    value = combined(layer, animated->property, value, curves.at(seconds, side), weight, order);
  }
  return value;
}

bool FbxAnimation::isStraight(const FbxAnimated& animated) const {
  const FbxLayerCurves& lowest = animated.layers.front();
  return animated.layers.size() == 1 &&
         layers[static_cast<std::size_t>(lowest.layer)].blend == FbxLayer::Blend::Override &&
         std::all_of(lowest.curves.begin(), lowest.curves.end(),
                     [](const auto& curve) { return !curve || curve->isStraight(); });
}

void FbxAnimation::addTimes(const FbxAnimated* animated, std::vector<double>& seconds) const {
  if (animated == nullptr) return;
  for (const FbxLayerCurves& curves : animated->layers) {
    for (const auto& curve : curves.curves) {
      if (curve) curve->addTimes(from, to, seconds);
    }
    const auto& weight = layers[static_cast<std::size_t>(curves.layer)].weightCurve;
    if (weight) weight->addTimes(from, to, seconds);
  }
}

std::vector<FbxAnimation> readFbxAnimations(const FbxScene& file, Notes& notes) {
  std::vector<FbxAnimation> animations;
  for (std::size_t o = 0; o < file.objects.size(); ++o) {
    if (file.objects[o].kind != "AnimationStack") continue;
    animations.push_back(Reader(file, notes).read(static_cast<int>(o)));
    animations.back().dropCurves();
  }
  return animations;
}

}  // namespace ck::worker
