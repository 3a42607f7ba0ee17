#include "core/import/worker/fbx/fbx_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace ck::worker {
namespace {

constexpr std::size_t kMostObjects = 10'000'000;
// In files that name another definition of time than the old one, of number 127.
constexpr double kNewTicksPerSecond = 141'120'000.0;
constexpr std::int64_t kOldTime = 127;

// The name without its class: "Hips\0\1Model" (binary) and "Model::Hips" (text).
std::string_view nameOf(std::string_view text) {
  const std::size_t binary = text.find(std::string_view("\0\1", 2));
  if (binary != std::string_view::npos) return text.substr(0, binary);
  const std::size_t colons = text.find("::");
  return colons == std::string_view::npos ? text : text.substr(colons + 2);
}

// The template of a kind of objects; several are there for kinds with several classes, of which
// the first is meant (a node template for models).
std::map<std::string_view, const FbxNode*> defaultsOf(const FbxNode& root) {
  std::map<std::string_view, const FbxNode*> defaults;
  const FbxNode* definitions = root.find("Definitions");
  if (definitions == nullptr) return defaults;
  for (const FbxNode& type : definitions->children()) {
    const FbxNode* entry = type.name() == "ObjectType" ? type.find("PropertyTemplate") : nullptr;
    if (entry != nullptr) defaults.try_emplace(type.text(0), entry->find("Properties70"));
  }
  return defaults;
}

const FbxNode* findProperty(const FbxNode* properties, std::string_view name) {
  if (properties == nullptr) return nullptr;
  for (const FbxNode& entry : properties->children()) {
    if (entry.text(0) == name && entry.valueCount() > 4) return &entry;
  }
  return nullptr;
}

const FbxNode* findProperty(const FbxObject& object, std::string_view name) {
  const FbxNode* own = findProperty(object.properties, name);
  return own != nullptr ? own : findProperty(object.defaults, name);
}

std::optional<double> numberOf(const FbxNode* property) {
  if (property == nullptr || !std::isfinite(property->number(4))) return std::nullopt;
  return property->number(4);
}

struct Connection {
  int from;
  int to;
  std::string_view property;
};

// The links that objects have at one end of the connections to objects at the other end.
FbxLinks linksOf(std::size_t objectCount, const std::vector<Connection>& connections,
                 int Connection::*end, int Connection::*otherEnd) {
  FbxLinks result;
  result.starts.assign(objectCount + 1, 0);
  for (const Connection& c : connections) ++result.starts[static_cast<std::size_t>(c.*end) + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  result.links.resize(connections.size());
  std::vector<std::uint32_t> next = result.starts;
  for (const Connection& c : connections) {
    result.links[next[static_cast<std::size_t>(c.*end)]++] = {c.*otherEnd, c.property};
  }
  return result;
}

}  // namespace

std::vector<int> FbxScene::sourcesOf(int object, std::string_view kind,
                                     std::string_view detail) const {
  std::vector<int> found;
  for (const FbxLink& link : sources[static_cast<std::size_t>(object)]) {
    const FbxObject& source = at(link.object);
    if (source.kind == kind && (detail.empty() || source.detail == detail)) {
      found.push_back(link.object);
    }
  }
  return found;
}

int FbxScene::targetOf(int object, std::string_view kind) const {
  const auto links = targets[static_cast<std::size_t>(object)];
  const auto found = std::find_if(links.begin(), links.end(), [&](const FbxLink& link) {
    return at(link.object).kind == kind;
  });
  return found == links.end() ? -1 : found->object;
}

Result<FbxScene> makeFbxScene(const FbxTree& tree) {
  FbxScene scene;
  const FbxNode* settings = tree.root().find("GlobalSettings");
  if (settings != nullptr) scene.settings = settings->find("Properties70");
  scene.takes = tree.root().find("Takes");
  const FbxNode* header = tree.root().find("FBXHeaderExtension");
  const FbxNode* flags = header == nullptr ? nullptr : header->find("OtherFlags");
  const FbxNode* time = flags == nullptr ? nullptr : flags->find("TCDefinition");
  if (time != nullptr && time->whole(0, kOldTime) != kOldTime) {
    scene.ticksPerSecond = kNewTicksPerSecond;
  }
  const FbxNode* creator = tree.root().find("Creator");
  scene.isByBlender = creator != nullptr && creator->text(0).starts_with("Blender");
  const FbxNode* objects = tree.root().find("Objects");
  const FbxNode* connections = tree.root().find("Connections");
  const auto below = [](const FbxNode* node) {
    return node == nullptr
               ? FbxNode::Children{FbxNode::Iterator(nullptr), FbxNode::Iterator(nullptr)}
               : node->children();
  };
  const std::size_t objectCount = below(objects).count();
  const std::size_t connectionCount = below(connections).count();
  if (objectCount > kMostObjects || connectionCount > kMostObjects) {
    return fail(ErrorCode::LimitExceeded, "the file has more than 10 million objects");
  }
  const auto defaults = defaultsOf(tree.root());
  scene.objects.reserve(objectCount);
  std::vector<std::pair<std::int64_t, int>> byId;
  for (const FbxNode& node : below(objects)) {
    FbxObject object;
    object.id = node.whole(0);
    object.kind = node.name();
    object.name = nameOf(node.text(1));
    object.detail = node.text(2);
    object.node = &node;
    object.properties = node.find("Properties70");
    const auto found = defaults.find(object.kind);
    if (found != defaults.end()) object.defaults = found->second;
    byId.emplace_back(object.id, static_cast<int>(scene.objects.size()));
    scene.objects.push_back(object);
  }
  std::sort(byId.begin(), byId.end());
  const auto objectOf = [&byId](std::int64_t id) {
    const auto found = std::lower_bound(byId.begin(), byId.end(), std::pair(id, 0));
    return found != byId.end() && found->first == id ? found->second : -1;
  };
  std::vector<Connection> all;
  all.reserve(connectionCount);
  scene.isTop.resize(scene.objects.size());
  for (const FbxNode& node : below(connections)) {
    const std::string_view type = node.text(0);
    if (type != "OO" && type != "OP") continue;
    const int from = objectOf(node.whole(1));
    const int to = objectOf(node.whole(2));
    if (from < 0) continue;
    if (node.whole(2) == 0) scene.isTop[static_cast<std::size_t>(from)] = 1;
    if (to < 0) continue;
    all.push_back({from, to, type == "OP" ? node.text(3) : std::string_view()});
  }
  scene.sources = linksOf(scene.objects.size(), all, &Connection::to, &Connection::from);
  scene.targets = linksOf(scene.objects.size(), all, &Connection::from, &Connection::to);
  return scene;
}

std::optional<double> fbxNumber(const FbxObject& object, std::string_view property) {
  return numberOf(findProperty(object, property));
}

std::optional<double> fbxNumber(const FbxNode* properties, std::string_view property) {
  return numberOf(findProperty(properties, property));
}

std::optional<glm::dvec3> fbxVector(const FbxObject& object, std::string_view property) {
  const FbxNode* found = findProperty(object, property);
  if (found == nullptr) return std::nullopt;
  const glm::dvec3 value(found->number(4), found->number(5), found->number(6));
  const bool finite = std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z);
  return finite ? std::optional(value) : std::nullopt;
}

std::string_view fbxText(const FbxObject& object, std::string_view property) {
  const FbxNode* found = findProperty(object, property);
  return found == nullptr ? std::string_view() : found->text(4);
}

}  // namespace ck::worker
