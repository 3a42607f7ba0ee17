#include "ui/document/crowd_dealer.h"

#include <algorithm>

#include "core/project/crowds.h"
#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"

namespace ck::ui {

void CrowdDealer::change(Project& project, const Change& change) const {
  if (!session_.hasRig()) return;
  const std::vector<CharacterPtr> cast = session_.characters();
  // The ticked clips of the characters, or all clips if none is ticked.
  const std::vector<SpawnPart> parts = spawnParts(project, cast);
  const int crowd = chosenCrowd(project);
  SpawnSettings settings = chosen(project).spawn;
  settings.count = crowdSizes(project)[std::size_t(crowd)];
  settings.clipCount = std::max(1, int(parts.front().clips.size()));
  change(settings);
  Project changed = project;
  changed.crowds[std::size_t(crowd)].spawn = settings;
  const GroundMeshPtr ground = session_.props().groundOf(changed, crowd);
  selection_.carry(project, selection_.actors(), [&](Project& dealt) {
    respawn(dealt, crowd, std::move(settings), parts, ground.get());
  });
}

void CrowdDealer::edit(const QString& text, const Change& change, const QString& mergeKey) const {
  document_.edit(
      text, [&](Project& project) { this->change(project, change); }, mergeKey);
}

GroundMeshPtr CrowdDealer::ground() const {
  const Project& project = document_.project();
  return session_.props().groundOf(project, chosenCrowd(project));
}

}  // namespace ck::ui
