#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <vector>

#include "core/export/atlas_export.h"
#include "render/view/cast_entry.h"
#include "ui/document/loaded_character.h"
#include "ui/document/notice.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class PropSession;

// Where the first character's atlas stands in relation to the project.
enum class BakeState { NoRig, NoClips, NothingTicked, Missing, Baking, Outdated, UpToDate };

// What was made of the document's characters: rigs, atlases, what an atlas would cost and how exact
// it is. Characters are numbered as Actor::character is, and variants share what their base has.
// When the document changes, the session starts the steps (core/project/character_stage.h) that
// became necessary, and takes back from memory what undo brings back. Baking the first character
// again is the artist's decision; the others follow their settings. A character whose files cannot
// be read leaves the others as they are.
class Session : public QObject {
  Q_OBJECT

 public:
  // Both must outlive the session.
  Session(Document& document, TaskRunner& tasks, QObject* parent = nullptr);
  ~Session() override;

  // Null until it is there. An atlas may be of older settings.
  CharacterPtr character(int number = 0) const;
  AtlasPtr atlas(int number = 0) const;
  CharacterState state(int number) const;
  QString problem(int number) const;  // why it was refused, or empty

  // Under the project's settings, before baking; null while unknown or without ticked clips.
  const Result<BakeCost>* cost(int number = 0) const;
  // What would be baked of a clip; null while unknown or where its edit does not fit.
  const BakeWindow* window(int number, int clip) const;
  // What a clip takes of the atlas; 0 where it is not baked.
  std::size_t bytes(int number, int clip) const;
  // How far the atlas is from its source; null until that is measured.
  const BakeError* error(int number = 0) const;
  // Whether that is under way. It may have been cancelled, or have failed; measureAgain() then asks
  // for it again.
  bool isMeasuring(int number = 0) const;
  void measureAgain(int number = 0);

  // Of clipsOf(), with all settings and events, which another project may say.
  const ProjectClip& clip(int number, int clip) const;
  // What Actor::clip means (playableClips).
  std::vector<CrowdClip> clips(int number) const;
  // By number, as many as the project has.
  std::vector<CharacterPtr> characters() const;
  std::vector<render::CastEntry> entries() const;

  // Of the first character.
  BakeState bakeState() const;
  // Why its settings cannot be baked, with what would fit; empty where they can or where there is
  // nothing to bake.
  QString refusal() const;

  // The props of the scene.
  PropSession& props() { return *props_; }
  const PropSession& props() const { return *props_; }

  // A new project: the rig of the first file with the clips of all, and a small crowd.
  void importRig(const QStringList& paths);
  // Adds the clips of these files to the first character, matched by joint name.
  void addClips(const QStringList& paths);
  // Each rig or project that can be read becomes another character with its share of the actors, as
  // one undo step.
  void addCharacters(const QStringList& paths);
  // The same character again, drawn without these meshes.
  void addVariant(int of, const QString& title, const std::vector<std::string>& hiddenMeshes);
  void remove(int number);
  // Reads the sources of a character again.
  void reload(int number = 0);
  // Does nothing unless bakeState() is Missing, Outdated or UpToDate.
  void bakeNow();
  // Writes the atlas of every character. The first is called `name`; the others have their titles
  // behind it.
  void exportTo(const QString& folder, const QString& name, const ExportSettings& settings);
  // Writes the first atlas beside the project file, so that opening it needs no bake.
  void keepAtlasBeside(const QString& projectPath);

 signals:
  // The first character is another.
  void characterChanged();
  // A character, an atlas or a state of one is another.
  void changed();
  // cost() or window().
  void costChanged();
  // error() or isMeasuring().
  void errorChanged();
  void bakeStateChanged();
  // A message about success, for the status bar.
  void reported(const QString& text);
  void noticed(const ck::ui::Notice& notice);
  // The artist wants to show where this source of the first character, an index, lies now.
  void locateAsked(int source);

 private:
  // What becomes of sources once they are read.
  enum class Purpose { OfProject, NewRig, MoreClips, Joins };

  LoadedCharacter* at(int number) const;
  int numberOf(const LoadedPtr& loaded) const;  // -1 where the project has it no more
  LoadedPtr makeLoaded(const ImportInputs& inputs, bool first);
  LoadedPtr known(const ImportInputs& inputs, int number, const std::vector<LoadedPtr>& before);
  void follow();
  void restart();
  void update(int number);
  void announce();
  void stop(const LoadedCharacter& loaded);

  void read(const LoadedPtr& loaded, Purpose purpose);
  void install(const LoadedPtr& loaded, Purpose purpose, const CharacterSource& source,
               const AtlasPtr& found, const BakeSettings& foundBy);
  void enter(const LoadedPtr& loaded, Purpose purpose);
  void bake(const LoadedPtr& loaded, const ProjectCharacter& settings, Purpose purpose);
  void installAtlas(const LoadedPtr& loaded, const AtlasPtr& atlas, Purpose purpose,
                    double seconds);
  void measure(const LoadedPtr& loaded);
  void measureMissing(int number);
  void count(const LoadedPtr& loaded, const ProjectCharacter& settings);
  void join(const LoadedPtr& loaded);
  void addToProject(const QString& undoText, ProjectCharacter added, const CharacterPtr& rig);
  void complain(const Error& error);
  void refuse(const LoadedPtr& loaded, const Error& error, Purpose purpose);
  void onFinished(const QString& tag, bool cancelled);
  void report(const LoadedCharacter& loaded, Purpose purpose);

  Document& document_;
  TaskRunner& tasks_;
  PropSession* props_;
  TaskRunner quick_;            // for costs, which are computed while a bake runs
  std::vector<LoadedPtr> now_;  // by number; null without sources
  std::deque<LoadedPtr> earlier_;
  CharacterPtr announced_;
  int made_ = 0;
};

}  // namespace ck::ui
