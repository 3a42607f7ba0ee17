#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/stage/character_stage.h"
#include "core/stage/scene.h"
#include "render/view/character_entry.h"
#include "ui/document/character_loader.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class LiveBake;
class PropSession;

// The state of a character's atlas relative to the project.
enum class BakeState { NoRig, NoClips, NothingTicked, Missing, Baking, Outdated, UpToDate };

// The results for the document's characters: rigs, atlases, costs and errors. Characters are
// numbered as Actor::character; a variant has the results of its base. When the document changes,
// the session has the loaders read the files that are new to it; results for restored files come
// from memory. A character is baked once it is read, if no atlas of its settings is there, and
// again by bakeNow(). A character whose files cannot be read does not affect the others.
class Session : public QObject {
  Q_OBJECT

 public:
  // Both must outlive the session.
  Session(Document& document, TaskRunner& tasks, QObject* parent = nullptr);
  ~Session() override;

  // All results for a character; those of a character that is not there are empty.
  const LoadedCharacter& of(int number) const;
  // The same; null for a character that is not there or has no sources.
  LoadedPtr loaded(int number) const;
  int numberOf(const LoadedPtr& loaded) const;  // -1 if the project does not have it (any more)
  // Whether any character is loaded, so that there is something to show.
  bool hasRig() const;
  bool hasClips() const;  // whether any character of the project has clips
  // Null until it is loaded. The atlas may have been baked with older settings.
  CharacterPtr character(int number) const { return of(number).character(); }
  AtlasPtr atlas(int number) const { return of(number).atlas; }
  CharacterState state(int number) const { return of(number).state; }
  QString problem(int number) const { return of(number).problem; }  // the error, or empty

  // The cost under the project's settings, before baking. Null if it is unknown or no clip is
  // ticked.
  const Result<BakeCost>* cost(int number) const { return pointerTo(of(number).figures.cost); }
  // The window that a bake would use for a clip. Null if it is unknown or the clip edit does not
  // fit.
  const BakeWindow* window(int number, int clip) const;
  // The size of a clip in the atlas; 0 if it is not baked.
  std::size_t bytes(int number, int clip) const;
  // The atlas's error as the view draws it; null until it is measured.
  const BakeError* error(int number) const { return error(number, drawn_); }
  // The error as the atlas was baked, which an export states; null until it is measured.
  const BakeError* bakedError(int number) const { return error(number, {}); }
  // Whether the error is being measured, or will be after a bake. If measuring was cancelled or has
  // failed, measureAgain() restarts it.
  bool isMeasuring(int number) const;
  void measureAgain(int number);

  // An entry of clipsOf() with all settings and events; for another project's clip these come from
  // that project.
  const ProjectClip& clip(int number, int clip) const;
  // The clips that Actor::clip indexes (playableClips()), for every character.
  std::vector<std::vector<CrowdClip>> clips() const;
  // Indexed by number, as many as the project has.
  std::vector<CharacterPtr> characters() const;
  std::vector<render::CharacterEntry> entries() const;

  // The settings that a bake of a loaded character would use: its own in the project, or those of
  // the project that it comes from, without clips that its files lack.
  ProjectCharacter settings(int number) const;
  BakeState bakeState(int number) const;
  bool isBaking() const;  // whether any character is
  // The clips of a character that actors play and its files lack.
  std::vector<MissingClip> missing(int number) const;
  // Why the settings of a character cannot be baked, with what would fit. Empty if they can, or if
  // there is nothing to bake.
  QString refusal(int number) const;

  // Grows with every project that is opened and every file that is imported.
  int imports() const { return imports_; }

  // The props of the scene.
  PropSession& props() { return *props_; }
  const PropSession& props() const { return *props_; }
  // Bakes characters whose settings change, if that is switched on.
  LiveBake& live() { return *live_; }

  // Starts a new project: the rig of the first file with the clips of all files, and a small crowd.
  void importRig(const QStringList& paths);
  // Adds the clips of these files to a character of rig files, matched by joint name.
  void addClips(int number, const QStringList& paths);
  // Adds each rig or project that can be read as a character with its share of the actors, in one
  // undo step each.
  void addCharacters(const QStringList& paths);
  // Adds a variant of a character without these meshes.
  void addVariant(int of, const QString& title, const std::vector<std::string>& hiddenMeshes);
  void remove(int number);
  // Reads files again with other inputs, as of(): those of a character, which then has the inputs
  // in one undo step, or those of an import that was refused. Returns what is read.
  LoadedPtr fit(const LoadedPtr& loaded, const ImportInputs& inputs);
  // Reads the sources of a character again.
  void reload(int number);
  // Bakes a character; if it is being baked with other settings, instead of that. Does nothing
  // unless bakeState() is Missing, Baking, Outdated or UpToDate.
  void bakeNow(int number);

 signals:
  // characters() has changed: one is loaded, replaced or gone.
  void rigsChanged();
  // A character, an atlas or a state has changed.
  void changed();
  // cost() or window() has changed.
  void costChanged();
  // error() or isMeasuring() has changed.
  void errorChanged();
  void bakeStateChanged();
  // A message about success, for the status bar.
  void reported(const QString& text);
  void noticed(const ck::ui::Notice& notice);
  // The user wants to see how these files fit.
  void fitAsked(const ck::ui::LoadedPtr& loaded);
  // The user wants to locate this source of a character.
  void locateAsked(const QString& path);

 private:
  using LoaderPtr = std::shared_ptr<CharacterLoader>;
  template <class Value>
  static const Value* pointerTo(const std::optional<Value>& value) {
    return value ? &*value : nullptr;
  }
  LoaderPtr loader(int number) const;
  LoaderPtr makeLoader(const ImportInputs& inputs);
  LoaderPtr known(const ImportInputs& inputs, int number, const std::vector<LoaderPtr>& before);
  const BakeError* error(int number, const DrawnAs& drawn) const;
  void followView();
  void follow();
  void restart();
  void countCost(int number);
  void measureMissing(CharacterLoader& loader);
  void announce();

  void read(const LoaderPtr& loader, Purpose purpose);
  void onRead(const LoaderPtr& loader, const CharacterStage& stage, bool first);
  void onBaked(const LoaderPtr& loader);
  void onBakeEnded(const LoaderPtr& loader);
  void onRefused(const LoaderPtr& loader, const Error& error);
  void onFinished(const QString& tag, bool cancelled);
  void enter(const LoaderPtr& loader, Purpose purpose);
  void join(const LoaderPtr& loader);
  void addToProject(const QString& undoText, ProjectCharacter added, const CharacterPtr& rig);
  void notify(const Error& error);
  void report(const LoaderPtr& loader, Purpose purpose);

  Document& document_;
  TaskRunner& tasks_;
  PropSession* props_;
  LiveBake* live_;
  TaskRunner quick_;                 // for costs, which are computed while a bake runs
  std::vector<LoaderPtr> now_;       // indexed by number; null without sources
  std::vector<LoaderPtr> arriving_;  // those that are read and are not in the project yet
  std::deque<LoaderPtr> earlier_;
  std::vector<CharacterPtr> announced_;
  DrawnAs drawn_;  // by the project's view
  int imports_ = 0;
};

}  // namespace ck::ui
