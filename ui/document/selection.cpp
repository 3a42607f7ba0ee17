#include "ui/document/selection.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "ui/document/document.h"

namespace ck::ui {

Selection::Selection(Document& document, QObject* parent) : QObject(parent), document_(document) {
  // Removed actors cannot stay selected.
  connect(&document, &Document::changed, this, [this](const Project&, const Project& now) {
    if (!actors_.empty() && std::size_t(actors_.back()) >= now.actors.size()) set(actors_);
  });
}

bool Selection::contains(int actor) const {
  return std::binary_search(actors_.begin(), actors_.end(), actor);
}

void Selection::set(std::vector<int> actors) {
  const int count = static_cast<int>(document_.project().actors.size());
  std::erase_if(actors, [count](int actor) { return actor < 0 || actor >= count; });
  if (!std::is_sorted(actors.begin(), actors.end())) std::sort(actors.begin(), actors.end());
  actors.erase(std::unique(actors.begin(), actors.end()), actors.end());
  if (actors == actors_) return;
  actors_ = std::move(actors);
  emit changed();
}

void Selection::add(const std::vector<int>& actors) {
  std::vector<int> all = actors_;
  all.insert(all.end(), actors.begin(), actors.end());
  set(std::move(all));
}

void Selection::remove(std::vector<int> actors) {
  std::sort(actors.begin(), actors.end());
  std::vector<int> rest;
  std::set_difference(actors_.begin(), actors_.end(), actors.begin(), actors.end(),
                      std::back_inserter(rest));
  set(std::move(rest));
}

void Selection::toggle(int actor) {
  std::vector<int> all = actors_;
  if (std::erase(all, actor) == 0) all.push_back(actor);
  set(std::move(all));
}

void Selection::selectAll() {
  std::vector<int> all(document_.project().actors.size());
  std::iota(all.begin(), all.end(), 0);
  set(std::move(all));
}

void Selection::invert() {
  std::vector<int> all(document_.project().actors.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<int> rest;
  std::set_difference(all.begin(), all.end(), actors_.begin(), actors_.end(),
                      std::back_inserter(rest));
  set(std::move(rest));
}

}  // namespace ck::ui
