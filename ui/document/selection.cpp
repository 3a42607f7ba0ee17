#include "ui/document/selection.h"

#include <algorithm>
#include <numeric>

#include "ui/document/document.h"

namespace ck::ui {

Selection::Selection(Document& document, QObject* parent) : QObject(parent), document_(document) {
  // Fewer actors than before: those that are gone cannot stay selected.
  connect(&document, &Document::changed, this, [this] { set(actors_); });
}

bool Selection::contains(int actor) const {
  return std::binary_search(actors_.begin(), actors_.end(), actor);
}

void Selection::set(std::vector<int> actors) {
  const int count = static_cast<int>(document_.project().actors.size());
  std::erase_if(actors, [count](int actor) { return actor < 0 || actor >= count; });
  std::sort(actors.begin(), actors.end());
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
  std::vector<int> rest;
  const int count = static_cast<int>(document_.project().actors.size());
  for (int actor = 0; actor < count; ++actor) {
    if (!contains(actor)) rest.push_back(actor);
  }
  set(std::move(rest));
}

}  // namespace ck::ui
