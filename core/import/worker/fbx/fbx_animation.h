#pragma once

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/import/worker/fbx/fbx_curves.h"
#include "core/import/worker/fbx/fbx_transform.h"

namespace ck::worker {

// The curves of one property in one layer. A component without a curve has a constant value.
struct FbxLayerCurves {
  int layer = 0;                             // into FbxAnimation::layers
  std::array<const FbxNode*, 3> nodes = {};  // of the curves, or nullptr
  double ticksPerSecond = 1.0;
  int badKeys = 0;  // of the curves that are there; left out
  std::array<std::optional<KeyCurve>, 3> curves;
  glm::dvec3 constants{0.0};

  glm::dvec3 at(double seconds, int side) const;  // `side` as KeyCurve::at()
};

// A layer of an animation, on top of those before it.
struct FbxLayer {
  enum class Blend { Additive, Override, Mix };  // Mix: override by weight
  Blend blend = Blend::Override;
  double weight = 1.0;
  std::optional<KeyCurve> weightCurve;  // in percent
  int badKeys = 0;                      // of that curve; left out
  bool rotationsByAngle = false;        // else rotations are combined as rotations
  bool scalesAdd = false;               // else scales are multiplied
};

// All curves of one property of an object, layers from below.
struct FbxAnimated {
  int object = -1;            // into FbxScene::objects
  std::string_view property;  // "Lcl Rotation", "DeformPercent", ...
  std::vector<FbxLayerCurves> layers;
};

// A clip of the file: an animation stack. Its curves take much memory, so they are there from
// readCurves() to dropCurves(); those of Visibility and weights always are.
struct FbxAnimation {
  std::string_view name;
  double from = 0.0;  // seconds
  double to = 0.0;
  std::vector<FbxLayer> layers;
  std::vector<FbxAnimated> properties;
  std::map<std::pair<int, std::string_view>, std::size_t> places;  // in `properties`

  void readCurves();
  void dropCurves();
  int badKeys() const;  // of all curves that are there
  // The entry of an object's property, or nullptr.
  const FbxAnimated* find(int object, std::string_view property) const;
  // A property's value at a time: `rest` where no curve says otherwise. Rotations are combined in
  // the order of the angles.
  glm::dvec3 valueOf(const FbxAnimated* animated, const glm::dvec3& rest, double seconds, int side,
                     FbxOrder order = FbxOrder::XYZ) const;
  // Whether the property is linear between the times of its keys.
  bool isStraight(const FbxAnimated& animated) const;
  // Adds the times of all keys of a property within the clip, with those of the layers' weights.
  void addTimes(const FbxAnimated* animated, std::vector<double>& seconds) const;
};

// Reads all stacks, without their curves. A stack without a range of time covers its keys. Adds
// notes.
std::vector<FbxAnimation> readFbxAnimations(const FbxScene& file, Notes& notes);

}  // namespace ck::worker
