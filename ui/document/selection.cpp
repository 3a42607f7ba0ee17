#include "ui/document/selection.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "ui/document/document.h"

namespace ck::ui {
namespace {

// Both ascending.
std::vector<int> without(const std::vector<int>& all, const std::vector<int>& gone) {
  std::vector<int> rest;
  std::ranges::set_difference(all, gone, std::back_inserter(rest));
  return rest;
}

}  // namespace

void IndexSelection::set(std::vector<int> indices) {
  if (!std::ranges::is_sorted(indices)) std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  if (indices == indices_) return;
  indices_ = std::move(indices);
  emit changed();
}

Selection::Selection(Document& document, QObject* parent)
    : IndexSelection(parent), document_(document) {
  // Removed actors cannot stay selected.
  connect(&document, &Document::changed, this, [this](const Project&, const Project& now) {
    if (!actors().empty() && std::size_t(actors().back()) >= now.actors.size()) set(actors());
  });
}

bool Selection::contains(int actor) const {
  return std::ranges::binary_search(actors(), actor);
}

void Selection::set(std::vector<int> actors) {
  const int count = static_cast<int>(document_.project().actors.size());
  std::erase_if(actors, [count](int actor) { return actor < 0 || actor >= count; });
  IndexSelection::set(std::move(actors));
}

void Selection::add(const std::vector<int>& actors) {
  std::vector<int> more = indices_;
  more.insert(more.end(), actors.begin(), actors.end());
  set(std::move(more));
}

void Selection::remove(std::vector<int> actors) {
  std::ranges::sort(actors);
  set(without(indices_, actors));
}

void Selection::toggle(int actor) {
  contains(actor) ? remove({actor}) : add({actor});
}

std::vector<int> Selection::all() const {
  std::vector<int> all(document_.project().actors.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void Selection::invert() {
  set(without(all(), indices_));
}

}  // namespace ck::ui
