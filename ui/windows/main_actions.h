#pragma once

#include <QAction>
#include <QObject>

namespace ck::ui {

// The window's actions with their texts, icons and keys. Keys with modifiers work in the whole
// window; single keys work only in widgets that viewportKeys() were added to.
class MainActions : public QObject {
  Q_OBJECT

 public:
  explicit MainActions(QObject* parent);

  QAction* newProject;
  QAction* open;
  QAction* openPlaza;
  QAction* openMeadow;
  QAction* importRig;
  QAction* addClips;
  QAction* addCharacters;
  QAction* reimport;
  QAction* save;
  QAction* saveAs;
  QAction* exportAtlas;
  QAction* quit;

  QAction* selectAll;
  QAction* selectNone;
  QAction* selectInverse;
  QAction* findActors;
  QAction* fade;

  QAction* frameSelected;
  QAction* frameAll;
  QAction* grid;
  QAction* figures;
  QAction* fullScreen;

  QAction* bake;
  QAction* cancel;

  QAction* actorCount;
  QAction* reseed;
  QAction* addProps;

  QAction* resetLayout;
  QAction* cheatSheet;
  QAction* about;

  // The actions with single keys, for the viewport.
  QList<QAction*> viewportKeys() const;

 private:
  QAction* make(const QString& text, const QString& tip, const QKeySequence& key = {},
                const QString& iconName = {});
};

// Enables or disables an action. The tool tip and status tip of a disabled action give the reason.
void setEnabledBecause(QAction& action, bool enabled, const QString& reason);

}  // namespace ck::ui
