#include "core/import/worker/collada/collada_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/import/worker/collada/collada_element.h"
#include "core/import/worker/collada/collada_instances.h"
#include "core/import/worker/collada/collada_text.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::uint64_t kMostInputs = 256;
constexpr std::uint64_t kMostCorners = 0xFFFF'FFFF;  // of one primitive, and pairs of a skin

// How many values an array holds, as far as Assimp reads it.
struct Array {
  std::uint64_t values = 0;
  bool isWords = false;
};

// How an index becomes a place in an array: offset + index * stride.
struct Accessor {
  std::uint64_t count = 0;
  std::uint64_t offset = 0;
  std::uint64_t stride = 1;
  std::uint64_t lastPart = 0;  // place of the last component that is read of an entry
  std::string array;
};

// An <input> of a mesh or of a primitive.
struct Input {
  pugi::xml_node element;
  std::string source;
  std::uint64_t offset = 0;
  bool isVertex = false;
  bool isPosition = false;
};

// Components are found by their names; those of other names are not read.
bool isComponent(std::string_view name) {
  return name.size() == 1 && std::string_view("XYZRGBASTPUV").find(name[0]) != name.npos;
}

bool isMeshSemantic(std::string_view word) {
  constexpr std::string_view kRead[] = {"POSITION", "TEXCOORD",    "NORMAL",
                                        "COLOR",    "VERTEX",      "BINORMAL",
                                        "TANGENT",  "TEXBINORMAL", "TEXTANGENT"};
  return std::ranges::find(kRead, word) != std::end(kRead);
}

// How many corners a primitive has.
struct PrimitiveKind {
  std::string_view name;
  std::int64_t corners = 0;        // of each; 0: the file does not state it
  std::uint64_t leastCorners = 0;  // of one <p>
};
constexpr PrimitiveKind kPrimitives[] = {
    {"triangles", 3, 0}, {"polylist", 0, 0}, {"lines", 0, 0},     {"linestrips", 0, 1},
    {"polygons", 0, 0},  {"trifans", 0, 0},  {"tristrips", 0, 2},
};

// A <skin> or <morph> of a controller.
struct Controlled {
  pugi::xml_node element;
  std::string controller;
};

// The target of a controller: a mesh or another controller.
struct Source {
  pugi::xml_node element;
  std::string target;
};

// A <newparam> of an effect.
struct Parameter {
  std::string next;  // where it leads: the name of a parameter or the id of a picture
  bool namesPicture = false;
  std::size_t walk = 0;  // the first walk that came by
};
using Parameters = std::unordered_map<std::string, Parameter>;

class Check {
 public:
  Result<void> run(const pugi::xml_node& root) {
    for (auto at = nextBelow(root, root); at; at = nextBelow(root, at)) {
      const std::string_view name = nameOf(at);
      // Assimp looks for controllers at the addresses of both.
      if (name == "instance_controller" || name == "instance_geometry") {
        used_.insert(targetOf(at, "url"));
      }
      if (name == "image") images_.insert(idOf(at));
    }
    for (const pugi::xml_node library : root.children()) {
      for (const pugi::xml_node entry : library.children()) {
        Result<void> ok;
        if (nameOf(entry) == "geometry") ok = checkGeometry(entry);
        if (nameOf(entry) == "controller") ok = readController(entry);
        if (nameOf(entry) == "effect") ok = checkEffect(entry);
        if (!ok) return ok;
      }
    }
    if (auto ok = followControllers(); !ok) return ok;
    // Skins may stand before their meshes.
    for (const Controlled& part : controlled_) {
      if (auto ok = checkControlled(part); !ok) return ok;
    }
    return {};
  }

 private:
  // Arrays and accessors are known by the last element of an id that was read so far.
  Result<void> readSource(const pugi::xml_node& source) {
    for (auto at = nextBelow(source, source); at; at = nextBelow(source, at)) {
      const std::string_view name = nameOf(at);
      Result<void> ok;
      if (name == "float_array" || name == "IDREF_array" || name == "Name_array")
        ok = readArray(at);
      if (name == "technique_common" && at.child("accessor")) {
        ok = readAccessor(at.child("accessor"), idOf(source));
      }
      if (!ok) return ok;
    }
    return {};
  }

  Result<void> readArray(const pugi::xml_node& element) {
    const Array array{element.attribute("count").as_uint(0), nameOf(element) != "float_array"};
    std::string_view text = element.text().get();
    std::uint64_t there = 0;
    while (there < array.values && !takeWord(text).empty()) ++there;
    if (there < array.values) {
      return refuse(element, fmt::format("it states {} values and holds {}",
                                         element.attribute("count").value(), there));
    }
    arrays_[idOf(element)] = array;
    return {};
  }

  Result<void> readAccessor(const pugi::xml_node& element, const std::string& id) {
    Accessor accessor;
    const std::int64_t count = element.attribute("count").as_int(0);
    if (count < 0) return refuse(element, fmt::format("it states {} entries", count));
    accessor.count = static_cast<std::uint64_t>(count);
    accessor.offset = element.attribute("offset").as_uint(0);
    accessor.stride = element.attribute("stride").as_uint(1);
    accessor.array = targetOf(element, "source");
    std::uint64_t place = 0;
    for (const pugi::xml_node param : element.children("param")) {
      if (isComponent(param.attribute("name").value())) accessor.lastPart = place;
      ++place;
    }
    accessors_[id] = std::move(accessor);
    return {};
  }

  // The accessor of an <input>, whose array must hold numbers or words.
  Result<const Accessor*> accessorOf(const pugi::xml_node& input, bool words) const {
    const auto found = accessors_.find(targetOf(input, "source"));
    const auto wrong = [&](const std::string& what) {
      return tl::unexpected(refuse(input.parent(), what).error());
    };
    const std::string address = cleanText(input.attribute("source").value(), 80);
    if (found == accessors_.end()) {
      return wrong(fmt::format("its source '{}' is not there", address));
    }
    const auto array = arrays_.find(found->second.array);
    if (array == arrays_.end()) {
      return wrong(fmt::format("its source '{}' has no array", address));
    }
    if (array->second.isWords != words) {
      return wrong(fmt::format("its source '{}' holds {}", address, words ? "numbers" : "words"));
    }
    return &found->second;
  }

  // Whether entry `index` of an accessor is in its array, up to its value `last`.
  Result<void> inArray(const pugi::xml_node& input, const Accessor& accessor, std::uint64_t index,
                       std::uint64_t last) const {
    const std::uint64_t values = arrays_.at(accessor.array).values;
    const std::uint64_t end = accessor.offset + index * accessor.stride + last;
    if (end < values) return {};
    return refuse(input.parent(),
                  fmt::format("entry {} of its source '{}' ends at value {} of {}", index,
                              cleanText(input.attribute("source").value(), 80), end + 1, values));
  }

  Result<void> checkGeometry(const pugi::xml_node& geometry) {
    for (const pugi::xml_node mesh : geometry.children("mesh")) {
      std::vector<Input> ofVertices;
      for (const pugi::xml_node child : mesh.children()) {
        Result<void> ok;
        if (nameOf(child) == "source") ok = readSource(child);
        if (nameOf(child) == "vertices") {
          for (const pugi::xml_node input : child.children("input")) readInput(input, ofVertices);
        }
        const auto* const kind =
            std::ranges::find(kPrimitives, nameOf(child), &PrimitiveKind::name);
        if (kind != std::end(kPrimitives)) {
          ok = checkPrimitives(child, *kind, ofVertices, pointsOf_[idOf(geometry)]);
        }
        if (!ok) return ok;
      }
    }
    return {};
  }

  static void readInput(const pugi::xml_node& element, std::vector<Input>& inputs) {
    const std::string_view semantic = element.attribute("semantic").value();
    if (!isMeshSemantic(semantic)) return;
    inputs.push_back({element, targetOf(element, "source"), element.attribute("offset").as_uint(0),
                      semantic == "VERTEX", semantic == "POSITION"});
  }

  // `points` becomes the number of points that skins must have weights for.
  Result<void> checkPrimitives(const pugi::xml_node& element, const PrimitiveKind& kind,
                               const std::vector<Input>& ofVertices, std::uint64_t& points) {
    const std::int64_t count = element.attribute("count").as_int(0);
    if (count < 0) return refuse(element, fmt::format("it states {} of them", count));
    std::vector<Input> inputs;
    std::uint64_t corners = static_cast<std::uint64_t>(count * kind.corners);
    bool hasCorners = kind.name != "polylist";
    for (auto at = nextBelow(element, element); at; at = nextBelow(element, at)) {
      Result<void> ok;
      if (nameOf(at) == "input") readInput(at, inputs);
      if (nameOf(at) == "vcount" && count > 0) {
        hasCorners = true;
        ok = sumOf(at, count, corners);
      }
      if (nameOf(at) == "p" && count > 0) {
        if (!hasCorners) return refuse(element, "it has no <vcount> before its <p>");
        ok = checkIndices(at, kind, corners, inputs, ofVertices, points);
      }
      if (!ok) return ok;
    }
    return {};
  }

  // The sum of the first `count` numbers of a <vcount>.
  static Result<void> sumOf(const pugi::xml_node& element, std::int64_t count, std::uint64_t& sum) {
    std::string_view text = element.text().get();
    sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string_view word = takeWord(text);
      if (word.empty()) {
        return refuse(element, fmt::format("it states {} numbers and holds {}", count, i));
      }
      std::uint64_t value = 0;
      if (auto ok = readIndex(element, word, value); !ok) return ok;
      sum += value;
      if (sum > kMostCorners) {
        return refuse(element, fmt::format("its numbers add up to more than {}", kMostCorners));
      }
    }
    return {};
  }

  static Result<void> readIndex(const pugi::xml_node& element, std::string_view word,
                                std::uint64_t& index) {
    const auto value = wholeNumber(word);
    if (!value || *value < 0 || *value > 0x7FFF'FFFF) {
      return refuse(element, fmt::format("'{}' is no whole number from 0 to 2147483647",
                                         cleanText(word, 40)));
    }
    index = static_cast<std::uint64_t>(*value);
    return {};
  }

  Result<void> checkIndices(const pugi::xml_node& element, const PrimitiveKind& kind,
                            std::uint64_t corners, const std::vector<Input>& inputs,
                            const std::vector<Input>& ofVertices, std::uint64_t& points) {
    std::uint64_t width = 1;
    for (const Input& input : inputs) width = std::max(width, input.offset + 1);
    if (width > kMostInputs) {
      return refuse(element, fmt::format("an input has the offset {}", width - 1));
    }
    std::vector<std::uint64_t> largest(width, 0);
    std::string_view text = element.text().get();
    std::uint64_t words = 0;
    for (auto word = takeWord(text); !word.empty(); word = takeWord(text), ++words) {
      // Assimp takes negative indices as 0, because some exporters write them.
      std::uint64_t index = 0;
      if (wholeNumber(word).value_or(0) < 0) continue;
      if (auto ok = readIndex(element, word, index); !ok) return ok;
      std::uint64_t& most = largest[words % width];
      most = std::max(most, index);
    }
    if (corners > 0 ? words != corners * width : words % width != 0 && kind.name != "lines") {
      return refuse(element, fmt::format("it holds {} indices where {} corners of {} belong", words,
                                         corners > 0 ? std::to_string(corners) : "whole", width));
    }
    if (words / width < kind.leastCorners) {
      return refuse(element, fmt::format("it holds {} indices, and a strip begins with {} corners",
                                         words, kind.leastCorners));
    }
    if (words == 0) return {};
    const auto vertex = std::ranges::find(inputs, true, &Input::isVertex);
    if (vertex == inputs.end() ||
        std::ranges::find(ofVertices, true, &Input::isPosition) == ofVertices.end()) {
      return refuse(element, "it has no positions before its <p>");
    }
    const std::uint64_t mostVertex = largest[vertex->offset];
    points = std::max(points, mostVertex + 1);
    for (const Input& input : ofVertices) {
      if (auto ok = checkEntries(input, mostVertex); !ok) return ok;
    }
    for (const Input& input : inputs) {
      if (auto ok = checkEntries(input, largest[input.offset]); !ok) return ok;
    }
    return {};
  }

  Result<void> checkEntries(const Input& input, std::uint64_t largest) const {
    if (input.isVertex) return {};
    const auto accessor = accessorOf(input.element, false);
    if (!accessor) return tl::unexpected(accessor.error());
    if (largest >= (*accessor)->count) {
      return refuse(input.element.parent(),
                    fmt::format("its indices go to {}, and its source '{}' has {} entries", largest,
                                cleanText(input.element.attribute("source").value(), 80),
                                (*accessor)->count));
    }
    return inArray(input.element, **accessor, largest, (*accessor)->lastPart);
  }

  Result<void> readController(const pugi::xml_node& controller) {
    const std::string id = idOf(controller);
    sourceOf_.erase(id);
    for (auto at = nextBelow(controller, controller); at; at = nextBelow(controller, at)) {
      const std::string_view name = nameOf(at);
      if (name == "source") {
        if (auto ok = readSource(at); !ok) return ok;
      }
      if (name != "skin" && name != "morph") continue;
      const std::string_view address = at.attribute("source").value();
      if (name == "morph" && address.find('#') == address.npos) {
        return refuse(at, "its source is no address of a mesh in this file");
      }
      if (!address.empty()) sourceOf_[id] = {at, targetOf(at, "source")};
      controlled_.push_back({at, id});
    }
    return {};
  }

  // Adds the controllers that used controllers have as their source to the used ones. Assimp
  // follows the sources of all controllers, without end where those go in a circle.
  Result<void> followControllers() {
    std::unordered_map<std::string, std::size_t> walks;
    std::size_t walk = 0;
    for (const auto& [first, source] : sourceOf_) {
      ++walk;
      for (auto at = sourceOf_.find(first); at != sourceOf_.end();
           at = sourceOf_.find(at->second.target)) {
        const auto [known, isNew] = walks.try_emplace(at->first, walk);
        if (isNew) continue;
        if (known->second == walk) return refuse(at->second.element, "its source is itself");
        break;
      }
    }
    const std::vector<std::string> named(used_.begin(), used_.end());
    for (const std::string& first : named) {
      for (auto at = sourceOf_.find(first); at != sourceOf_.end();
           at = sourceOf_.find(at->second.target)) {
        if (at->first != first && !used_.insert(at->first).second) break;
      }
    }
    return {};
  }

  // A skin or morph. Where nothing shows it, only what reading it needs must be there.
  Result<void> checkControlled(const Controlled& part) {
    const bool isUsed = used_.contains(part.controller);
    const std::string_view address = part.element.attribute("source").value();
    if (isUsed && address.find('#') != address.npos && address[0] != '#') {
      return fail(ErrorCode::Unsupported,
                  fmt::format("{}: its source is '{}'; meshes of other files are not read, so "
                              "export it with its mesh in one file",
                              titleOf(part.element), cleanText(address, 80)));
    }
    return nameOf(part.element) == "skin" ? checkSkin(part.element, isUsed) : Result<void>();
  }

  // The number of points of the mesh that a skin moves, maybe by way of other controllers.
  std::uint64_t pointsOf(const pugi::xml_node& skin) {
    std::string target = targetOf(skin, "source");
    std::vector<std::string> passed;
    for (auto at = sourceOf_.find(target); at != sourceOf_.end(); at = sourceOf_.find(target)) {
      passed.push_back(target);
      target = at->second.target;
    }
    // Later walks take one step.
    for (const std::string& controller : passed) sourceOf_[controller].target = target;
    const auto mesh = pointsOf_.find(target);
    return mesh == pointsOf_.end() ? 0 : mesh->second;
  }

  Result<void> checkSkin(const pugi::xml_node& skin, bool isUsed) {
    pugi::xml_node joints, binds;
    for (const pugi::xml_node input : skin.child("joints").children("input")) {
      const std::string_view semantic = input.attribute("semantic").value();
      if (semantic == "JOINT") joints = input;
      if (semantic == "INV_BIND_MATRIX") binds = input;
    }
    const pugi::xml_node table = skin.child("vertex_weights");
    pugi::xml_node weights;
    for (const pugi::xml_node input : table.children("input")) {
      if (std::string_view(input.attribute("semantic").value()) == "WEIGHT") weights = input;
    }
    const std::int64_t count = table.attribute("count").as_int(0);
    const std::uint64_t points = isUsed ? pointsOf(skin) : 0;
    if (count < 0 || static_cast<std::uint64_t>(count) < points) {
      return refuse(
          skin, fmt::format("it has weights for {} vertices, and its mesh has {}", count, points));
    }
    std::uint64_t pairs = 0;
    if (const auto counts = table.child("vcount"); counts && count > 0) {
      if (auto ok = sumOf(counts, count, pairs); !ok) return ok;
    }
    if (pairs == 0) return {};
    std::uint64_t mostJoint = 0;
    std::uint64_t mostWeight = 0;
    if (auto ok = readPairs(table.child("v"), pairs, isUsed, mostJoint, mostWeight); !ok) return ok;
    if (!isUsed) return {};
    return checkInfluences(skin, joints, binds, weights, mostJoint, mostWeight);
  }

  // The largest numbers of the pairs (joint, weight) in a <v>.
  static Result<void> readPairs(const pugi::xml_node& element, std::uint64_t pairs, bool isUsed,
                                std::uint64_t& mostJoint, std::uint64_t& mostWeight) {
    std::string_view text = element.text().get();
    for (std::uint64_t i = 0; element && i < 2 * pairs; ++i) {
      const std::string_view word = takeWord(text);
      if (word.empty()) {
        return refuse(element, fmt::format("it holds {} numbers where {} pairs belong", i, pairs));
      }
      // Valid, but Assimp takes it for joint 0.
      if (i % 2 == 0 && word == "-1") {
        if (!isUsed) continue;
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{}: vertices weighted to no joint (-1) are not read; weight them to "
                        "a joint and export the file again",
                        titleOf(element)));
      }
      std::uint64_t value = 0;
      if (auto ok = readIndex(element, word, value); !ok) return ok;
      std::uint64_t& most = i % 2 == 0 ? mostJoint : mostWeight;
      most = std::max(most, value);
    }
    return {};
  }

  Result<void> checkInfluences(const pugi::xml_node& skin, const pugi::xml_node& joints,
                               const pugi::xml_node& binds, const pugi::xml_node& weights,
                               std::uint64_t mostJoint, std::uint64_t mostWeight) const {
    if (!joints || !binds || !weights) {
      return refuse(skin, "it has no joints, bind matrices or weights");
    }
    const auto names = accessorOf(joints, true);
    if (!names) return tl::unexpected(names.error());
    const std::uint64_t bones = arrays_.at((*names)->array).values;
    if (mostJoint >= bones) {
      return refuse(
          skin, fmt::format("its weights name joint {}, and it has {} joints", mostJoint, bones));
    }
    if (auto ok = inArray(joints, **names, mostJoint, 0); !ok) return ok;
    const auto matrices = accessorOf(binds, false);
    if (!matrices) return tl::unexpected(matrices.error());
    if (auto ok = inArray(binds, **matrices, mostJoint, 15); !ok) return ok;
    const auto values = accessorOf(weights, false);
    if (!values) return tl::unexpected(values.error());
    // An empty array means weights of 1.
    if (arrays_.at((*values)->array).values == 0) return {};
    return inArray(weights, **values, mostWeight, 0);
  }

  // Textures follow parameters to their picture, without end where those go in a circle.
  Result<void> checkEffect(const pugi::xml_node& effect) const {
    Parameters parameters;
    for (auto at = nextBelow(effect, effect); at; at = nextBelow(effect, at)) {
      if (nameOf(at) != "newparam") continue;
      const pugi::xml_node sampler = at.child("sampler2D");
      Parameter parameter;
      std::string next = at.child("surface").child("init_from").text().get();
      parameter.namesPicture = !next.empty();
      if (sampler.child("source")) {
        next = sampler.child("source").text().get();
        parameter.namesPicture = false;
      }
      if (sampler.child("instance_image")) {
        next = targetOf(sampler.child("instance_image"), "url");
        parameter.namesPicture = true;
      }
      parameter.next = trimmedText(next);
      parameters[at.attribute("sid").value()] = std::move(parameter);
    }
    std::size_t walk = 0;
    for (auto& [first, parameter] : parameters) {
      ++walk;
      for (auto at = parameters.find(first); at != parameters.end();
           at = parameters.find(at->second.next)) {
        if (at->second.walk == walk) return refuseCircle(effect, parameters, at->first);
        if (at->second.walk != 0) break;
        at->second.walk = walk;
      }
    }
    return {};
  }

  // Ids of pictures and names of parameters are apart, but Assimp looks for parameters first.
  Result<void> refuseCircle(const pugi::xml_node& effect, const Parameters& parameters,
                            const std::string& first) const {
    std::string name = first;
    do {
      const Parameter& parameter = parameters.at(name);
      name = parameter.next;
      if (!parameter.namesPicture || !images_.contains(name)) continue;
      return fail(ErrorCode::Unsupported,
                  fmt::format("{}: its parameter '{}' has the name of its picture, which is not "
                              "read; rename one of the two",
                              titleOf(effect), cleanText(name, 80)));
    } while (name != first);
    return refuse(effect, fmt::format("its parameter '{}' refers to itself", cleanText(name, 80)));
  }

  std::unordered_map<std::string, Array> arrays_;
  std::unordered_map<std::string, Accessor> accessors_;
  std::unordered_map<std::string, std::uint64_t> pointsOf_;  // of geometries
  std::unordered_map<std::string, Source> sourceOf_;         // of controllers
  std::vector<Controlled> controlled_;
  std::unordered_set<std::string> used_;    // controllers and geometries with an instance
  std::unordered_set<std::string> images_;  // ids
};

}  // namespace

Result<void> checkCollada(const pugi::xml_node& root) {
  if (auto ok = Check().run(root); !ok) return ok;
  return checkInstances(root);
}

}  // namespace ck::worker
