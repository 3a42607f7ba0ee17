#include "tests/support/fbx_text.h"

#include <fmt/format.h>

namespace ck::test {
namespace {

constexpr double kTicks = 46'186'158'000.0;

std::string listed(const std::vector<double>& numbers, const char* form) {
  std::string text;
  for (const double number : numbers) {
    text += (text.empty() ? "" : ",") + fmt::format(fmt::runtime(form), number);
  }
  return text;
}

std::string arrayOf(const char* name, const std::vector<double>& numbers, const char* form) {
  return fmt::format("  {}: *{} {{\n   a: {}\n  }}\n", name, numbers.size(), listed(numbers, form));
}

}  // namespace

std::string fbxProperty(const char* name, const glm::dvec3& v) {
  return fmt::format("   P: \"{}\", \"Vector3D\", \"Vector\", \"\",{:.17g},{:.17g},{:.17g}\n", name,
                     v.x, v.y, v.z);
}
std::string fbxProperty(const char* name, int value) {
  return fmt::format("   P: \"{}\", \"enum\", \"\", \"\",{}\n", name, value);
}

std::string fbxArray(const char* name, const std::vector<double>& numbers) {
  return arrayOf(name, numbers, "{:.17g}");
}

int FbxText::object(const std::string& kind, const std::string& name, const std::string& detail,
                    const std::string& body) {
  const int id = ++last_;
  objects_ +=
      fmt::format(" {}: {}, \"{}::{}\", \"{}\" {{\n{} }}\n", kind, id, kind, name, detail, body);
  return id;
}

int FbxText::limb(const std::string& name, int parent, const std::string& properties) {
  const int id =
      object("Model", name, "LimbNode", fmt::format("  Properties70: {{\n{}  }}\n", properties));
  connect(id, parent);
  return id;
}

int FbxText::stack(double seconds, int layers, const std::string& layerProperties) {
  const int id = object("AnimationStack", "Take", "",
                        fmt::format("  Properties70: {{\n   P: \"LocalStop\", \"KTime\", \"Time\", "
                                    "\"\",{:.0f}\n  }}\n",
                                    seconds * kTicks));
  for (int layer = 0; layer < layers; ++layer) {
    layers_.push_back(object(
        "AnimationLayer", "Layer", "",
        fmt::format("  Properties70: {{\n{}  }}\n", layer > 0 ? layerProperties : std::string())));
    connect(layers_.back(), id);
  }
  return id;
}

void FbxText::curve(int object, const std::string& property, char component,
                    const std::vector<double>& seconds, const std::vector<double>& values,
                    const std::string& after, std::size_t layer) {
  // The components of a property share a node.
  const auto [known, isNew] = nodes_.try_emplace({object, property, layer}, last_ + 1);
  const int node = known->second;
  if (isNew) {
    this->object("AnimationCurveNode", "N", "", "");
    connect(node, layers_.at(layer));
    connect(node, object, property);
  }
  std::vector<double> ticks;
  for (const double time : seconds) ticks.push_back(time * kTicks);
  const int id =
      this->object("AnimationCurve", "", "",
                   arrayOf("KeyTime", ticks, "{:.0f}") + fbxArray("KeyValueFloat", values) + after);
  connect(id, node, fmt::format("d|{}", component));
}

std::string FbxText::attributes(int flags, std::size_t keys, float right, float left) {
  return fbxArray("KeyAttrFlags", {static_cast<double>(flags)}) +
         arrayOf("KeyAttrDataFloat",
                 {static_cast<double>(right), static_cast<double>(left), 0.5, 0.5}, "{:.9g}") +
         fbxArray("KeyAttrRefCount", {static_cast<double>(keys)});
}

void FbxText::connect(int from, int to) {
  connections_ += fmt::format(" C: \"OO\",{},{}\n", from, to);
}

void FbxText::connect(int from, int to, const std::string& property) {
  connections_ += fmt::format(" C: \"OP\",{},{}, \"{}\"\n", from, to, property);
}

std::string FbxText::text(int version) const {
  return fmt::format(
      "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\n FBXVersion: {}\n}}\nGlobalSettings: "
      "{{\n "
      "Properties70: {{\n  P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n }}\n}}\n"
      "Objects:  {{\n{}}}\nConnections:  {{\n{}}}\n",
      version, objects_, connections_);
}

}  // namespace ck::test
