#include "ui/actors/crowd_commands.h"

#include <algorithm>
#include <cmath>

#include "core/project/actors/actor_edits.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

constexpr int kFirstActors = 25;  // of a crowd that is added

// The right edge of everybody who is there, in metres.
double rightOf(const ActorList& actors) {
  double right = 0.0;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    right = i == 0 ? double(actors[i].position.x) : std::max(right, double(actors[i].position.x));
  }
  return right;
}

QString nameOf(const Project& project) {
  return nameText(chosen(project).name);
}

}  // namespace

CrowdCommands::CrowdCommands(Document& document, const Session& session, Selection& selection,
                             QObject* parent)
    : QObject(parent), document_(document), dealer_(document, session, selection) {}

QString CrowdCommands::needsAnother() const {
  return crowdCount(document_.project()) > 1 ? QString() : tr("A project has at least one crowd");
}

void CrowdCommands::choose(int crowd) {
  // Steps of a field must not become one edit of two crowds.
  document_.endMerge();
  document_.setView([crowd](Project& project) { project.desk.crowd = crowd; });
}

void CrowdCommands::add() {
  document_.endMerge();
  document_.edit(tr("Add crowd"), [this](Project& project) {
    const double right = rightOf(project.actors);
    const bool isFirst = project.actors.size() == 0;
    const auto added = addCrowd(project, utf8Of(tr("Crowd")));
    if (!added) return emit noticed({Notice::Level::Warning, textOf(added.error().message)});
    dealer_.change(project, [&](SpawnSettings& settings) {
      settings.count = kFirstActors;
      // These would reach back over the others.
      for (const Formation wide : {Formation::Path, Formation::Circle, Formation::Arcs}) {
        if (settings.formation == wide) settings.formation = Formation::Grid;
      }
      settings.path.clear();
      settings.mirrorX = settings.mirrorZ = false;
      settings.centerMeters = {0.0, 0.0};
      if (isFirst) return;
      // A square of actors, one spacing beside the others.
      const double half = 0.5 * (std::sqrt(double(kFirstActors)) + 1.0) * settings.spacingMeters;
      settings.centerMeters.x = std::round((right + half) * 10.0) * 0.1;
    });
  });
}

void CrowdCommands::duplicate() {
  document_.endMerge();
  document_.edit(tr("Duplicate crowd %1").arg(nameOf(document_.project())),
                 [this](Project& project) {
                   const auto copied = duplicateCrowd(project, chosenCrowd(project));
                   if (copied) return;
                   emit noticed({Notice::Level::Warning, textOf(copied.error().message)});
                 });
}

void CrowdCommands::mirror(MirrorAxis axis) {
  document_.edit(tr("Mirror crowd %1").arg(nameOf(document_.project())),
                 [this, axis](Project& project) {
                   const int crowd = chosenCrowd(project);
                   mirrorCrowd(project, crowd, axis);
                   const GroundMeshPtr ground = dealer_.ground();
                   if (ground) settleOnGround(project, crowd, ground.get());
                 });
}

bool CrowdCommands::rename(const QString& name) {
  const Project& now = document_.project();
  const std::string wanted = utf8Of(name.trimmed());
  if (!isFreeCrowdName(now, chosenCrowd(now), wanted)) return false;
  document_.edit(tr("Rename crowd"), [&](Project& project) {
    project.crowds[std::size_t(chosenCrowd(project))].name = wanted;
  });
  return true;
}

void CrowdCommands::setOn(bool on) {
  const QString name = nameOf(document_.project());
  document_.edit(
      on ? tr("Show crowd %1").arg(name) : tr("Hide crowd %1").arg(name),
      [on](Project& project) { project.crowds[std::size_t(chosenCrowd(project))].on = on; });
}

void CrowdCommands::showAlone() {
  document_.edit(tr("Show crowd %1 alone").arg(nameOf(document_.project())), [](Project& project) {
    const ProjectCrowd* alone = &chosen(project);
    for (ProjectCrowd& crowd : project.crowds) crowd.on = &crowd == alone;
  });
}

void CrowdCommands::selectActors() {
  const Project& project = document_.project();
  const int crowd = chosenCrowd(project);
  dealer_.selection().set(
      actorsWhere(project, [crowd](const Actor& actor) { return actor.crowd == crowd; }));
}

void CrowdCommands::remove() {
  if (!needsAnother().isEmpty()) return;
  document_.edit(tr("Delete crowd %1").arg(nameOf(document_.project())), [this](Project& project) {
    Selection& selection = dealer_.selection();
    selection.carry(project, selection.actors(),
                    [](Project& rest) { removeCrowd(rest, chosenCrowd(rest)); });
  });
}

}  // namespace ck::ui
