#include "core/project/actors/crowd_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/assert.h"
#include "core/project/actors/actor_edits.h"
#include "core/project/actors_json.h"

namespace ck {
namespace {

std::size_t indexOf(const Project& project, int crowd) {
  CK_ASSERT(crowd >= 0 && crowd < crowdCount(project));
  return static_cast<std::size_t>(crowd);
}

std::vector<int> actorsOf(const Project& project, int crowd) {
  return actorsWhere(project, [crowd](const Actor& actor) { return actor.crowd == crowd; });
}

std::string freeName(const Project& project, std::string_view wanted) {
  std::string name(wanted);
  for (int number = 2; !isFreeCrowdName(project, -1, name); ++number) {
    name = fmt::format("{} {}", wanted, number);
  }
  return name;
}

Result<void> checkRoom(const Project& project) {
  if (project.crowds.size() < kMostCrowds) return {};
  return fail(ErrorCode::LimitExceeded,
              fmt::format("a project has at most {} crowds", kMostCrowds));
}

// Gives every actor the crowd that `newNumber` says.
template <class NewNumber>
void renumber(Project& project, const NewNumber& newNumber) {
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const int now = project.actors[i].crowd;
    if (newNumber(now) == now) continue;
    Actor actor = project.actors[i];
    actor.crowd = newNumber(now);
    project.actors.set(i, actor);
  }
}

}  // namespace

Result<int> addCrowd(Project& project, std::string_view name) {
  if (auto room = checkRoom(project); !room) return tl::unexpected(room.error());
  ProjectCrowd crowd{freeName(project, name), true, chosen(project).spawn};
  crowd.spawn.count = 0;
  const auto isTaken = [&project](std::uint64_t seed) {
    const auto seedOf = [](const ProjectCrowd& other) { return other.spawn.seed; };
    return std::ranges::find(project.crowds, seed, seedOf) != project.crowds.end();
  };
  while (isTaken(crowd.spawn.seed)) ++crowd.spawn.seed;
  project.crowds.push_back(std::move(crowd));
  project.desk.crowd = crowdCount(project) - 1;
  return project.desk.crowd;
}

Result<int> duplicateCrowd(Project& project, int crowd) {
  if (auto room = checkRoom(project); !room) return tl::unexpected(room.error());
  ProjectCrowd copy = project.crowds[indexOf(project, crowd)];
  const std::vector<int> theirs = actorsOf(project, crowd);
  if (project.actors.size() + theirs.size() > static_cast<std::size_t>(kMostActors)) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("{} more actors would be more than {}", theirs.size(), kMostActors));
  }
  copy.name = freeName(project, copy.name);
  project.crowds.push_back(std::move(copy));
  project.desk.crowd = crowdCount(project) - 1;
  std::vector<Actor> all = project.actors.toVector();
  all.reserve(all.size() + theirs.size());
  for (const int actor : theirs) {
    all.push_back(all[static_cast<std::size_t>(actor)]);
    all.back().crowd = project.desk.crowd;
  }
  project.actors = ActorList(all);
  return project.desk.crowd;
}

void mirrorCrowd(Project& project, int crowd, MirrorAxis axis) {
  SpawnSettings& spawn = project.crowds[indexOf(project, crowd)].spawn;
  const bool alongX = axis == MirrorAxis::X;
  spawn = mirrored(std::move(spawn), alongX, !alongX);
  for (const int index : actorsOf(project, crowd)) {
    Actor actor = project.actors[static_cast<std::size_t>(index)];
    mirror(actor, alongX, !alongX);
    project.actors.set(static_cast<std::size_t>(index), actor);
  }
}

void removeCrowd(Project& project, int crowd) {
  const std::size_t index = indexOf(project, crowd);
  if (project.crowds.size() == 1) return;
  removeActors(project, actorsOf(project, crowd));
  project.crowds.erase(project.crowds.begin() + crowd);
  renumber(project, [index](int c) { return static_cast<std::size_t>(c) > index ? c - 1 : c; });
  if (project.desk.crowd > crowd) --project.desk.crowd;
  project.desk.crowd = chosenCrowd(project);
}

void moveCrowd(Project& project, int crowd, int place) {
  const std::size_t from = indexOf(project, crowd);
  const std::size_t to = indexOf(project, place);
  ProjectCrowd moved = std::move(project.crowds[from]);
  project.crowds.erase(project.crowds.begin() + crowd);
  project.crowds.insert(project.crowds.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
  const auto newNumber = [crowd, place](int c) {
    if (c == crowd) return place;
    if (crowd < place) return c > crowd && c <= place ? c - 1 : c;
    return c >= place && c < crowd ? c + 1 : c;
  };
  renumber(project, newNumber);
  project.desk.crowd = newNumber(chosenCrowd(project));
}

void leaveHiddenOut(Project& project) {
  if (std::ranges::all_of(project.crowds, &ProjectCrowd::on)) return;
  removeActors(project, actorsWhere(project, [&project](const Actor& actor) {
                 return !project.crowds[static_cast<std::size_t>(actor.crowd)].on;
               }));
}

}  // namespace ck
