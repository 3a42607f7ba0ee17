#pragma once

#include <glm/glm.hpp>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ck::test {

// A line of Properties70.
std::string fbxProperty(const char* name, const glm::dvec3& v);
std::string fbxProperty(const char* name, int value);

// An array node: "Name: *3 { a: 1,2,3 }".
std::string fbxArray(const char* name, const std::vector<double>& numbers);

// An FBX file in the text form, put together from objects and connections. Its unit is the metre.
class FbxText {
 public:
  // Adds an object and returns its id. 0 is the file's root.
  int object(const std::string& kind, const std::string& name, const std::string& detail,
             const std::string& body);
  // Adds a model that is a joint, below a parent.
  int limb(const std::string& name, int parent, const std::string& properties);
  // Adds a clip from 0 on, with empty layers. `layerProperties` are those of all but the first.
  int stack(double seconds, int layers = 1, const std::string& layerProperties = {});
  // Adds a curve to a component ('X', 'Y' or 'Z') of a property. `after` is added to its node.
  void curve(int object, const std::string& property, char component,
             const std::vector<double>& seconds, const std::vector<double>& values,
             const std::string& after = {}, std::size_t layer = 0);
  // Flags and slopes of all keys: one run.
  static std::string attributes(int flags, std::size_t keys, float right = 0.0f, float left = 0.0f);
  void connect(int from, int to);
  void connect(int from, int to, const std::string& property);

  std::string text(int version = 7400) const;

 private:
  int last_ = 0;
  std::vector<int> layers_;
  std::map<std::tuple<int, std::string, std::size_t>, int> nodes_;
  std::string objects_;
  std::string connections_;
};

}  // namespace ck::test
