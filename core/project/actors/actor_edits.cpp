#include "core/project/actors/actor_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/assert.h"
#include "core/project/actors_json.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"

namespace ck {
namespace {

constexpr int kMostSteps = 1000;  // to the right, in search of a free place

// Actors that are nearer than a centimetre count as standing on one another.
using Spot = std::array<long long, 3>;

Spot spotOf(const glm::vec3& position) {
  const auto cell = [](float meters) { return std::llround(static_cast<double>(meters) * 100.0); };
  return {cell(position.x), cell(position.y), cell(position.z)};
}

std::set<Spot> spotsOf(const ActorList& actors) {
  std::set<Spot> spots;
  for (std::size_t i = 0; i < actors.size(); ++i) spots.insert(spotOf(actors[i].position));
  return spots;
}

// Moves `actors` to the right until none of them stands on an actor of the project.
void moveAside(const Project& project, std::vector<Actor>& actors) {
  if (actors.empty()) return;
  const std::set<Spot> taken = spotsOf(project.actors);
  const auto [left, right] =
      std::ranges::minmax(actors, {}, [](const Actor& one) { return one.position.x; });
  const float step = right.position.x - left.position.x +
                     static_cast<float>(std::max(chosen(project).spawn.spacingMeters, 0.01));
  const auto isTaken = [&taken](const Actor& one) { return taken.contains(spotOf(one.position)); };
  for (int steps = 0; steps < kMostSteps && std::ranges::any_of(actors, isTaken); ++steps) {
    for (Actor& one : actors) one.position.x += step;
  }
}

// Sets one property of some actors.
template <class Change>
void changeActors(Project& project, std::span<const int> actors, const Change& change) {
  for (const int index : actors) {
    const auto at = static_cast<std::size_t>(index);
    CK_ASSERT(at < project.actors.size());
    Actor actor = project.actors[at];
    change(actor);
    if (!(actor == project.actors[at])) project.actors.set(at, actor);
  }
}

// Gives every actor's group the number that `newNumber` says.
template <class NewNumber>
void renumberGroups(Project& project, const NewNumber& newNumber) {
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const int now = project.actors[i].group;
    if (now < 0 || newNumber(now) == now) continue;
    Actor actor = project.actors[i];
    actor.group = newNumber(now);
    project.actors.set(i, actor);
  }
}

}  // namespace

Result<std::vector<int>> appendActors(Project& project, std::vector<Actor> actors) {
  const std::size_t before = project.actors.size();
  if (before + actors.size() > static_cast<std::size_t>(kMostActors)) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("{} more actors would be more than {}", actors.size(), kMostActors));
  }
  moveAside(project, actors);
  std::vector<Actor> all = project.actors.toVector();
  std::vector<int> indices;
  for (Actor& one : actors) {
    one.byHand = true;
    indices.push_back(static_cast<int>(all.size()));
    all.push_back(std::move(one));
  }
  project.actors = ActorList(all);
  recount(project);
  return indices;
}

Result<std::vector<int>> duplicateActors(Project& project, std::span<const int> actors) {
  std::vector<Actor> copies;
  copies.reserve(actors.size());
  for (const int index : actors) copies.push_back(project.actors[static_cast<std::size_t>(index)]);
  return appendActors(project, std::move(copies));
}

void removeActors(Project& project, std::span<const int> actors) {
  if (actors.empty()) return;
  std::vector<Actor> rest;
  std::vector<int> newNumbers;  // by actor; -1 if it goes
  auto gone = actors.begin();
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const bool goes = gone != actors.end() && static_cast<std::size_t>(*gone) == i;
    if (goes) ++gone;
    newNumbers.push_back(goes ? -1 : static_cast<int>(rest.size()));
    if (!goes) rest.push_back(project.actors[i]);
  }
  std::vector<int> selected;
  for (const int index : project.desk.selected) {
    const auto at = static_cast<std::size_t>(index);
    if (at < newNumbers.size() && newNumbers[at] >= 0) selected.push_back(newNumbers[at]);
  }
  project.desk.selected = std::move(selected);
  project.actors = ActorList(rest);
  recount(project);
}

void setValue(const Project& project, Actor& actor, const ActorColumn& column, double value) {
  if (isNumber(column)) {
    setNumber(actor, column, value);
  } else if (column.kind == ActorKind::Character) {
    actor = recast(project, actor, static_cast<int>(value));
  } else {
    column.set(actor, value);
  }
}

void showActors(Project& project, std::span<const int> actors, bool shown) {
  changeActors(project, actors, [shown](Actor& actor) { actor.on = shown; });
}

std::vector<int> actorsWhere(const Project& project,
                             const std::function<bool(const Actor&)>& fits) {
  std::vector<int> found;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    if (fits(project.actors[i])) found.push_back(static_cast<int>(i));
  }
  return found;
}

std::vector<int> actorsLike(const Project& project, std::span<const int> actors,
                            const ActorColumn& column) {
  // A clip's number means something for its rig alone.
  const auto valueOf = [&](const Actor& actor) {
    const int rig = column.kind == ActorKind::Clip ? baseOf(project, actor.character) : 0;
    return std::pair(rig, column.get(actor));
  };
  std::set<std::pair<int, double>> values;
  for (const int index : actors) {
    values.insert(valueOf(project.actors[static_cast<std::size_t>(index)]));
  }
  return actorsWhere(project, [&](const Actor& actor) { return values.contains(valueOf(actor)); });
}

bool isFreeGroupName(const Project& project, int group, std::string_view name) {
  if (name.empty() || name.find_first_of("\r\n") != std::string_view::npos) return false;
  const auto at = std::ranges::find(project.groups, name);
  return at == project.groups.end() || at - project.groups.begin() == group;
}

Result<int> addGroup(Project& project, std::string_view name, std::span<const int> actors) {
  if (project.groups.size() >= kMostGroups) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("there are {} groups already; remove one first", kMostGroups));
  }
  std::string wanted(name.empty() ? std::string_view("Group") : name);
  std::ranges::replace_if(
      wanted, [](char c) { return c == '\r' || c == '\n'; }, ' ');
  const std::set<std::string_view> taken(project.groups.begin(), project.groups.end());
  std::string free = wanted;
  for (int number = 2; taken.contains(free); ++number) free = fmt::format("{} {}", wanted, number);
  const int group = static_cast<int>(project.groups.size());
  project.groups.push_back(free);
  setGroup(project, actors, group);
  return group;
}

void setGroup(Project& project, std::span<const int> actors, int group) {
  CK_ASSERT(group >= -1 && group < static_cast<int>(project.groups.size()));
  changeActors(project, actors, [group](Actor& actor) { actor.group = group; });
}

void removeGroup(Project& project, int group) {
  CK_ASSERT(group >= 0 && group < static_cast<int>(project.groups.size()));
  project.groups.erase(project.groups.begin() + group);
  renumberGroups(project, [group](int now) { return now == group ? -1 : now - (now > group); });
}

void removeEmptyGroups(Project& project) {
  std::vector<char> used(project.groups.size(), 0);
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const int group = project.actors[i].group;
    if (group >= 0) used[static_cast<std::size_t>(group)] = 1;
  }
  std::vector<std::string> kept;
  std::vector<int> newNumbers;
  for (std::size_t g = 0; g < used.size(); ++g) {
    newNumbers.push_back(static_cast<int>(kept.size()));
    if (used[g] != 0) kept.push_back(project.groups[g]);
  }
  if (kept.size() == project.groups.size()) return;
  project.groups = std::move(kept);
  renumberGroups(project, [&](int now) { return newNumbers[static_cast<std::size_t>(now)]; });
}

void moveGroup(Project& project, int group, int place) {
  std::vector<std::string>& groups = project.groups;
  const int count = static_cast<int>(groups.size());
  CK_ASSERT(group >= 0 && group < count && place >= 0 && place < count);
  std::string name = std::move(groups[static_cast<std::size_t>(group)]);
  groups.erase(groups.begin() + group);
  groups.insert(groups.begin() + place, std::move(name));
  renumberGroups(project, [group, place](int now) {
    if (now == group) return place;
    const int without = now - (now > group);
    return without + (without >= place);
  });
}

}  // namespace ck
