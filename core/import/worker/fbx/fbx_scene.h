#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/worker/fbx/fbx_tree.h"

namespace ck::worker {

// An entry of the file's list of objects, e.g. a model (node), a mesh or a curve.
struct FbxObject {
  std::int64_t id = 0;
  std::string_view kind;    // "Model", "Geometry", "Deformer", ...
  std::string_view name;    // without its class; may be empty or repeated
  std::string_view detail;  // "LimbNode", "Mesh", "Cluster", ...
  const FbxNode* node = nullptr;
  const FbxNode* properties = nullptr;  // or nullptr
  const FbxNode* defaults = nullptr;    // the template of its kind, or nullptr
};

// A connection: `object` belongs to, or drives, the other end.
struct FbxLink {
  int object = -1;            // into FbxScene::objects
  std::string_view property;  // of the other end, e.g. "Lcl Rotation"; empty for whole objects
};

// The links of all objects.
struct FbxLinks {
  std::vector<FbxLink> links;         // of one object after the other, each in file order
  std::vector<std::uint32_t> starts;  // of each object in `links`, and the end

  std::span<const FbxLink> operator[](std::size_t object) const {
    return std::span(links).subspan(starts[object], starts[object + 1] - starts[object]);
  }
};

// The objects of a file and their connections, by index. Refers to the tree that it was made from.
struct FbxScene {
  std::vector<FbxObject> objects;
  // Indexed as `objects`, in file order: what is connected to an object, and what it is connected
  // to. The file's root is not an object: isTop tells what is connected to it.
  FbxLinks sources;
  FbxLinks targets;
  std::vector<char> isTop;
  const FbxNode* settings = nullptr;         // properties of GlobalSettings, or nullptr
  const FbxNode* takes = nullptr;            // the list of takes, or nullptr
  bool isByBlender = false;                  // whether Blender wrote the file
  double ticksPerSecond = 46'186'158'000.0;  // of all times (Autodesk, FBX SDK, FbxTime)

  const FbxObject& at(int object) const { return objects[static_cast<std::size_t>(object)]; }
  // The objects of a kind that are connected to one, in file order.
  std::vector<int> sourcesOf(int object, std::string_view kind, std::string_view detail = {}) const;
  // The first object of a kind that one is connected to; -1 if there is none.
  int targetOf(int object, std::string_view kind) const;
};

// Makes the lists. Of several objects with one id, the first one has the connections. Fails with
// LimitExceeded for more than 10 million objects or connections.
Result<FbxScene> makeFbxScene(const FbxTree& tree);

// The values of a property: of the object, else of its template. Nothing if neither has it or a
// value is not finite.
std::optional<double> fbxNumber(const FbxObject& object, std::string_view property);
std::optional<glm::dvec3> fbxVector(const FbxObject& object, std::string_view property);
// Empty if there is none.
std::string_view fbxText(const FbxObject& object, std::string_view property);
// The same for a list of properties like GlobalSettings; `properties` may be nullptr.
std::optional<double> fbxNumber(const FbxNode* properties, std::string_view property);

}  // namespace ck::worker
