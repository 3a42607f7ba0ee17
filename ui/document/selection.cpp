#include "ui/document/selection.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "ui/document/document.h"

namespace ck::ui {
namespace {

constexpr std::size_t kMostLeft = 32;  // as many steps can be undone with their selections

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
  connect(&document, &Document::changed, this, &Selection::follow);
  connect(&document, &Document::replaced, this, [this] { left_.clear(); });
}

void Selection::keep(const ActorList& actors) {
  std::erase_if(left_, [&](const Left& one) { return one.actors == actors; });
  left_.push_back({actors, indices_});
  if (left_.size() > kMostLeft) left_.pop_front();
}

void Selection::follow(const Project& before, const Project& now) {
  const bool fewer = before.actors.size() > now.actors.size();
  if (fewer && !actors().empty()) keep(before.actors);
  if (carried_) return set(*std::exchange(carried_, std::nullopt));
  if (before.actors.size() == now.actors.size()) return;
  const auto known = std::ranges::find(left_, now.actors, &Left::actors);
  if (!fewer && known != left_.end()) return set(std::vector(known->selected));
  if (actors().empty()) return;
  std::vector<int> left = actors();
  // The same number may mean another actor now.
  std::erase_if(left, [&](int actor) {
    const auto index = std::size_t(actor);
    return index >= now.actors.size() || index >= before.actors.size() ||
           !(before.actors[index] == now.actors[index]);
  });
  set(std::move(left));
}

void Selection::carry(Project& project, std::vector<int> selected,
                      const std::function<void(Project&)>& change) {
  std::vector<int> desk = std::exchange(project.desk.selected, std::move(selected));
  const std::size_t count = project.actors.size();
  change(project);
  std::vector<int> left = std::exchange(project.desk.selected, std::move(desk));
  // An edit that changes nothing is not announced, and leaves the numbers as they are.
  if (left != actors() || project.actors.size() != count) carried_ = std::move(left);
}

bool Selection::contains(int actor) const {
  return std::ranges::binary_search(actors(), actor);
}

void Selection::set(std::vector<int> actors) {
  const int count = static_cast<int>(document_.project().actors.size());
  std::erase_if(actors, [count](int actor) { return actor < 0 || actor >= count; });
  carried_.reset();
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
