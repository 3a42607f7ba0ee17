#include "ui/windows/main_actions.h"

#include "ui/theme/theme.h"

namespace ck::ui {
namespace {
const char* const kOwnTip = "ownTip";
}

MainActions::MainActions(QObject* parent) : QObject(parent) {
  newProject = make(tr("&New"), tr("Start an empty project"), QKeySequence::New, "file-plus-2");
  open = make(tr("&Open..."), tr("Open a project"), QKeySequence::Open, "folder-open");
  openPlaza =
      make(tr("&Plaza: people"), tr("Open the bundled crowd of people"), {}, "package-open");
  openMeadow = make(tr("&Meadow: deer"), tr("Open the bundled herd of deer"), {}, "package-open");
  importRig = make(tr("&Import rig..."), tr("Read a rig with its clips from a file"), tr("Ctrl+I"),
                   "import");
  addClips = make(tr("&Add clips..."), tr("Add clips of other files to the rig"),
                  tr("Ctrl+Shift+I"), "plus");
  addCharacters = make(tr("Add c&haracters..."),
                       tr("Put other rigs, or the rigs of other projects, into the same crowd"),
                       tr("Ctrl+Alt+I"), "users");
  reimport = make(tr("&Read sources again"), tr("Read the rig and clip files again"), tr("F5"),
                  "refresh-cw");
  save = make(tr("&Save"), tr("Save the project"), QKeySequence::Save, "save");
  saveAs = make(tr("Save &as..."), tr("Save the project under another name"), tr("Ctrl+Shift+S"),
                "save-all");
  exportAtlas = make(tr("&Export..."), tr("Write the atlas and read it back to prove it"),
                     tr("Ctrl+E"), "download");
  quit = make(tr("&Quit"), tr("Leave Crowdkiln"), tr("Ctrl+Q"), "log-out");

  selectAll = make(tr("Select &all"), tr("Select every actor"), QKeySequence::SelectAll);
  selectNone = make(tr("Select &none"), tr("Select no actor"), Qt::Key_Escape);
  selectInverse = make(tr("&Invert selection"), tr("Select the actors that are not selected"),
                       tr("Ctrl+Shift+A"));
  findActors = make(tr("&Filter actors"), tr("Type which actors to show and select"),
                    QKeySequence::Find, "search");

  fade =
      make(tr("Fa&de selected to clip..."),
           tr("The selected actors pass to another clip from this moment on"), tr("Ctrl+Shift+F"));

  frameSelected =
      make(tr("Frame &selected"), tr("Bring the selected actors into view"), Qt::Key_F, "focus");
  frameAll =
      make(tr("Frame &all"), tr("Bring the whole crowd into view"), Qt::Key_Home, "maximize");
  grid = make(tr("&Grid"), tr("Show the ground grid"), Qt::Key_G, "grid-3x3");
  grid->setCheckable(true);
  figures = make(tr("&Figures"), tr("Show draws, fetches and times over the viewport"), Qt::Key_H);
  figures->setCheckable(true);
  figures->setChecked(true);
  fullScreen = make(tr("F&ull screen"), tr("Fill the screen"), tr("F11"));
  fullScreen->setCheckable(true);

  bake = make(tr("&Bake"), tr("Bake the ticked clips into the atlas"), tr("Ctrl+B"), "film");
  cancel = make(tr("&Cancel task"), tr("Stop what is running; everything stays as it was"),
                tr("Ctrl+."), "circle-x");

  actorCount = make(tr("&Number of actors"), tr("How many actors the crowd has"),
                    tr("Ctrl+Shift+N"), "users");
  reseed = make(tr("&Randomise"), tr("Deal the actors out anew with another seed"), tr("Ctrl+R"),
                "dices");
  addProps = make(tr("Add &prop..."),
                  tr("Put a mesh into the scene that stands still, in the middle of the view"));

  resetLayout = make(tr("&Reset layout"), tr("Put the panels back where they were at first"));
  cheatSheet = make(tr("&Keys and mouse"), tr("Every key and mouse gesture"), tr("F1"), "keyboard");
  about = make(tr("&About Crowdkiln"), tr("Version and licences"), {}, "info");
  for (QAction* action : viewportKeys()) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  }
  // A menu entry has room for a check mark or an icon; the check mark is more useful.
  for (QAction* action : {grid, figures, fullScreen}) action->setIconVisibleInMenu(false);
}

QList<QAction*> MainActions::viewportKeys() const {
  return {selectNone, frameSelected, frameAll, grid, figures};
}

QAction* MainActions::make(const QString& text, const QString& tip, const QKeySequence& key,
                           const QString& iconName) {
  auto* action = new QAction(text, this);
  if (!iconName.isEmpty()) action->setIcon(icon(iconName));
  action->setShortcut(key);
  const QString keyed =
      key.isEmpty() ? tip
                    : QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText));
  action->setProperty(kOwnTip, keyed);
  action->setToolTip(keyed);
  action->setStatusTip(tip);
  return action;
}

void setEnabledBecause(QAction& action, bool enabled, const QString& reason) {
  action.setEnabled(enabled);
  const QString own = action.property(kOwnTip).toString();
  const QString tip = enabled ? own : QStringLiteral("%1\n%2").arg(own, reason);
  action.setToolTip(tip);
  action.setStatusTip(enabled ? own : reason);
}

}  // namespace ck::ui
