#include "core/import/worker/collada/collada_instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/import/worker/collada/collada_element.h"

namespace ck::worker {
namespace {

constexpr std::int64_t kMostNodes = 1'000'000;
constexpr int kDeepest = 4'096;

// The nodes of libraries and scenes. An <instance_node> is replaced by a copy of its node.
class Hierarchy {
 public:
  explicit Hierarchy(const pugi::xml_node& root) {
    for (const pugi::xml_node library : root.children()) {
      const bool isLibrary = nameOf(library) == "library_nodes";
      if (!isLibrary && nameOf(library) != "library_visual_scenes") continue;
      for (auto at = nextBelow(library, library); at; at = nextBelow(library, at)) {
        if (nameOf(at) == "node") add(at, isLibrary);
      }
    }
  }

  // Sizes of all nodes with their copies, from the leaves up.
  Result<void> check() {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (auto ok = measure(n); !ok) return ok;
    }
    return {};
  }

 private:
  struct Node {
    pugi::xml_node element;
    std::vector<std::size_t> below;
    std::int64_t size = 1;
    int depth = 1;
    enum class State { New, Open, Done } state = State::New;
    std::size_t next = 0;  // of `below`, while it is open
  };

  void add(const pugi::xml_node& element, bool isLibrary) {
    const std::size_t number = nodes_.size();
    nodes_.emplace_back().element = element;
    numbers_.emplace(element.hash_value(), number);
    const std::string id = idOf(element);
    if (isLibrary) {
      if (!id.empty()) libraryIds_.try_emplace(id, number);
      return;
    }
    // Addresses are looked up by id or name, whatever comes first.
    if (!id.empty()) sceneIds_.try_emplace(id, number);
    const std::string name = element.attribute("name").value();
    if (!name.empty()) sceneIds_.try_emplace(name, number);
  }

  void link(Node& node) const {
    for (const pugi::xml_node child : node.element.children()) {
      if (nameOf(child) == "node") node.below.push_back(numbers_.at(child.hash_value()));
      if (nameOf(child) != "instance_node") continue;
      const std::string target = targetOf(child, "url");
      auto found = libraryIds_.find(target);
      if (found == libraryIds_.end()) {
        found = sceneIds_.find(target);
        if (found == sceneIds_.end()) continue;
      }
      node.below.push_back(found->second);
    }
  }

  Result<void> measure(std::size_t first) {
    std::vector<std::size_t> open;
    const auto enter = [&](std::size_t number) {
      nodes_[number].state = Node::State::Open;
      link(nodes_[number]);
      open.push_back(number);
    };
    if (nodes_[first].state == Node::State::New) enter(first);
    while (!open.empty()) {
      Node& node = nodes_[open.back()];
      if (node.next < node.below.size()) {
        const std::size_t below = node.below[node.next];
        if (nodes_[below].state == Node::State::Open) {
          return refuse(nodes_[below].element, "it is an instance of itself");
        }
        if (nodes_[below].state == Node::State::New) {
          enter(below);
          continue;
        }
        node.size += nodes_[below].size;
        node.depth = std::max(node.depth, nodes_[below].depth + 1);
        ++node.next;
        if (node.size > kMostNodes || node.depth > kDeepest) {
          return fail(ErrorCode::LimitExceeded,
                      fmt::format("{}: its instances make more than {} nodes or {} levels; "
                                  "place fewer copies and export the file again",
                                  titleOf(node.element), kMostNodes, kDeepest));
        }
        continue;
      }
      node.state = Node::State::Done;
      open.pop_back();
    }
    return {};
  }

  std::vector<Node> nodes_;
  std::unordered_map<std::size_t, std::size_t> numbers_;  // by the element's address
  std::unordered_map<std::string, std::size_t> libraryIds_;
  std::unordered_map<std::string, std::size_t> sceneIds_;
};

}  // namespace

Result<void> checkInstances(const pugi::xml_node& root) {
  return Hierarchy(root).check();
}

}  // namespace ck::worker
