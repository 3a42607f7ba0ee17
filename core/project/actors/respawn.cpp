#include "core/project/actors/respawn.h"

#include <algorithm>
#include <utility>

namespace ck {
namespace {

// Sets the height of an actor; returns whether there is ground below it. It stays where the ground
// is a prop whose surface is not known.
bool settle(Actor& actor, const SpawnSettings& spawn, const GroundMesh* ground) {
  if (ground == nullptr) {
    if (spawn.groundProp < 0) actor.position.y = 0.0f;
    return true;
  }
  const glm::dvec2 place(actor.position.x, actor.position.z);
  const auto height = ground->heightAt(place);
  actor.position.y = static_cast<float>(height ? *height : ground->nearestHeight(place));
  return height.has_value();
}

// The actor before, at the place of the actor that is dealt.
Actor movedTo(Actor actor, const Actor& dealt) {
  actor.position = dealt.position;
  actor.rotationDegrees = dealt.rotationDegrees;
  return actor;
}

}  // namespace

Respawned respawn(Project& project, SpawnSettings settings, std::span<const SpawnPart> parts,
                  const GroundMesh* ground) {
  const bool anew = settings.seed != project.spawn.seed;
  Respawned result;
  result.byHand = countByHand(project);
  settings.count = std::max(settings.count, result.byHand);
  SpawnSettings dealing = settings;
  dealing.count -= result.byHand;
  std::vector<Actor> dealt = spawnCrowd(parts, dealing);
  for (Actor& actor : dealt) result.beside += settle(actor, settings, ground) ? 0 : 1;
  const bool keepsHeights = ground == nullptr && settings.groundProp >= 0;

  std::vector<Actor> actors;
  actors.reserve(static_cast<std::size_t>(settings.count));
  std::vector<int> place(project.actors.size(), -1);  // of every actor from now on
  std::size_t next = 0;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const Actor& actor = project.actors[i];
    if (!actor.byHand && next == dealt.size()) continue;
    place[i] = static_cast<int>(actors.size());
    if (actor.byHand) {
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
  project.spawn = std::move(settings);
  return result;
}

int countByHand(const Project& project) {
  int count = 0;
  for (std::size_t i = 0; i < project.actors.size(); ++i) count += project.actors[i].byHand ? 1 : 0;
  return count;
}

void releaseByHand(Project& project) {
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    if (!project.actors[i].byHand) continue;
    Actor actor = project.actors[i];
    actor.byHand = false;
    project.actors.set(i, actor);
  }
}

int settleOnGround(Project& project, const GroundMesh* ground) {
  int beside = 0;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    if (project.actors[i].byHand) continue;
    Actor actor = project.actors[i];
    beside += settle(actor, project.spawn, ground) ? 0 : 1;
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
