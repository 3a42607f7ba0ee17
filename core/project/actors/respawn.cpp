#include "core/project/actors/respawn.h"

#include <algorithm>
#include <utility>

#include "core/crowd/formations.h"
#include "core/project/actors_json.h"
#include "core/project/crowds.h"

namespace ck {
namespace {

// Sets the height of an actor that is dealt so far above the ground; returns whether there is
// ground below it. It stays where the ground is a prop whose surface is not known.
bool settle(Actor& actor, const SpawnSettings& spawn, const GroundMesh* ground, double rise) {
  if (ground == nullptr) {
    if (spawn.groundProp < 0) actor.position.y = static_cast<float>(rise);
    return true;
  }
  const glm::dvec2 place(actor.position.x, actor.position.z);
  const auto height = ground->heightAt(place);
  actor.position.y = static_cast<float>(rise + (height ? *height : ground->nearestHeight(place)));
  return height.has_value();
}

// The actor before, at the place of the actor that is dealt.
Actor movedTo(Actor actor, const Actor& dealt) {
  actor.position = dealt.position;
  actor.rotationDegrees = dealt.rotationDegrees;
  return actor;
}

}  // namespace

Respawned respawn(Project& project, int crowd, SpawnSettings settings,
                  std::span<const SpawnPart> parts, const GroundMesh* ground) {
  SpawnSettings& kept = project.crowds[static_cast<std::size_t>(crowd)].spawn;
  const bool anew = settings.seed != kept.seed;
  Respawned result;
  result.byHand = countByHand(project, crowd);
  const int others = static_cast<int>(project.actors.size()) -
                     crowdSizes(project)[static_cast<std::size_t>(crowd)];
  settings.count = std::max(std::min(settings.count, kMostActors - others), result.byHand);
  SpawnSettings dealing = settings;
  dealing.count -= result.byHand;
  std::vector<Actor> dealt = spawnCrowd(parts, dealing);
  for (Actor& actor : dealt) {
    actor.crowd = crowd;
    const auto rise = static_cast<double>(actor.position.y);
    result.beside += settle(actor, settings, ground, rise) ? 0 : 1;
  }
  const bool keepsHeights = ground == nullptr && settings.groundProp >= 0;

  std::vector<Actor> actors;
  actors.reserve(project.actors.size() + dealt.size());
  std::vector<int> place(project.actors.size(), -1);  // of every actor from now on
  std::size_t next = 0;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const Actor& actor = project.actors[i];
    const bool stays = actor.byHand || actor.crowd != crowd;
    if (!stays && next == dealt.size()) continue;
    place[i] = static_cast<int>(actors.size());
    if (stays) {
      actors.push_back(actor);
    } else {
      actors.push_back(anew ? dealt[next] : movedTo(actor, dealt[next]));
      if (keepsHeights) actors.back().position.y = actor.position.y;
      ++next;
    }
  }
  actors.insert(actors.end(), dealt.begin() + static_cast<std::ptrdiff_t>(next), dealt.end());
  std::vector<int> selected;
  for (const int actor : project.desk.selected) {
    const auto index = static_cast<std::size_t>(actor);
    if (index < place.size() && place[index] >= 0) selected.push_back(place[index]);
  }
  project.desk.selected = std::move(selected);
  project.actors = ActorList(actors);
  kept = std::move(settings);
  return result;
}

int countByHand(const Project& project, int crowd) {
  int count = 0;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const Actor& actor = project.actors[i];
    count += actor.byHand && actor.crowd == crowd ? 1 : 0;
  }
  return count;
}

void releaseByHand(Project& project, int crowd) {
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    if (!project.actors[i].byHand || project.actors[i].crowd != crowd) continue;
    Actor actor = project.actors[i];
    actor.byHand = false;
    project.actors.set(i, actor);
  }
}

int settleOnGround(Project& project, int crowd, const GroundMesh* ground) {
  const SpawnSettings& spawn = project.crowds[static_cast<std::size_t>(crowd)].spawn;
  int beside = 0;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    if (project.actors[i].byHand || project.actors[i].crowd != crowd) continue;
    Actor actor = project.actors[i];
    beside +=
        settle(actor, spawn, ground, riseAt(spawn, {actor.position.x, actor.position.z})) ? 0 : 1;
    if (actor.position.y != project.actors[i].position.y) project.actors.set(i, actor);
  }
  return beside;
}

void markMoved(const Actor& before, Actor& after) {
  if (before.position != after.position || before.rotationDegrees != after.rotationDegrees) {
    after.byHand = true;
  }
}

}  // namespace ck
