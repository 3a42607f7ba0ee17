#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/project/character_stage.h"
#include "core/project/pipeline.h"
#include "core/project/scene.h"
#include "render/view/character_entry.h"
#include "ui/document/measured_errors.h"
#include "ui/document/notices.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class LiveBake;
class PropSession;

// The state of a character's files.
enum class CharacterState { Reading, Ready, Refused };

// What to do with sources when they are read: install them as they are in the project; start a new
// project; add clips to the first character; fit a character's files otherwise; add a character.
enum class Purpose { OfProject, NewRig, MoreClips, Refit, Joins };

// The results for one character that is not a variant.
struct LoadedCharacter {
  ImportInputs inputs;
  QString key;                           // suffix of its task tags; empty for the first character
  Purpose purpose = Purpose::OfProject;  // of the last reading
  ImportInputs replaces = {};            // Refit: the inputs that the project has until then
  CharacterState state = CharacterState::Reading;
  FitReports fits;  // of the last reading, also if it was refused
  QString problem;  // the error, if refused
  std::optional<CharacterSource> source;
  AtlasPtr atlas;
  BakeSettings bakedBy;               // the settings that the atlas was baked with
  std::optional<BakeSettings> asked;  // the settings of the last or running bake
  double bakeSeconds = 0.0;           // what the last bake took; 0 if there was none
  MeasuredErrors errors;              // of the atlas
  CharacterFigures figures;
  // The settings that the figures belong to, or will belong to.
  std::optional<ProjectCharacter> counted;
  bool waits = false;  // whether to measure when no bake runs

  bool isFirst() const { return key.isEmpty(); }
  CharacterPtr character() const { return source ? source->character : nullptr; }
  QString tag(const QString& kind) const { return isFirst() ? kind : kind + u'/' + key; }
};
using LoadedPtr = std::shared_ptr<LoadedCharacter>;

// The state of the first character's atlas relative to the project.
enum class BakeState { NoRig, NoClips, NothingTicked, Missing, Baking, Outdated, UpToDate };

// The results for the document's characters: rigs, atlases, costs and errors. Characters are
// numbered as Actor::character; a variant has the results of its base. When the document changes,
// the session starts the steps of core/project/character_stage.h that are needed; results for
// restored settings come from memory. The first character is baked when the artist asks for it, the
// others whenever their settings change. A character whose files cannot be read does not affect the
// others.
class Session : public QObject {
  Q_OBJECT

 public:
  // The first part of the tags of tasks that read a character's files.
  static constexpr char kReadingTask[] = "import";

  // Both must outlive the session.
  Session(Document& document, TaskRunner& tasks, QObject* parent = nullptr);

  // All results for a character; those of a character that is not there are empty.
  const LoadedCharacter& of(int number) const;
  // The same; null for a character that is not there or has no sources.
  LoadedPtr loaded(int number) const;
  int numberOf(const LoadedPtr& loaded) const;  // -1 if the project does not have it (any more)
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
  // Whether the error is being measured. If measuring was cancelled or has failed, measureAgain()
  // restarts it.
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

  // For the first character.
  BakeState bakeState() const;
  // The clips of a character that actors play and its files lack.
  std::vector<MissingClip> missing(int number) const;
  // Why its settings cannot be baked, with what would fit. Empty if they can, or if there is
  // nothing to bake.
  QString refusal() const;

  // Grows with every project that is opened and every file that is imported.
  int imports() const { return imports_; }

  // The props of the scene.
  PropSession& props() { return *props_; }
  const PropSession& props() const { return *props_; }
  // Bakes the first character again and again, if that is switched on.
  LiveBake& live() { return *live_; }

  // Starts a new project: the rig of the first file with the clips of all files, and a small crowd.
  void importRig(const QStringList& paths);
  // Adds the clips of these files to the first character, matched by joint name.
  void addClips(const QStringList& paths);
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
  // Bakes the first character; if it is being baked with other settings, instead of that. Does
  // nothing unless bakeState() is Missing, Baking, Outdated or UpToDate.
  void bakeNow();

 signals:
  // The first character was replaced.
  void characterChanged();
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
  // The user wants to locate this source of the first character (an index).
  void locateAsked(int source);

 private:
  template <class Value>
  static const Value* pointerTo(const std::optional<Value>& value) {
    return value ? &*value : nullptr;
  }
  const BakeError* error(int number, const DrawnAs& drawn) const;
  bool isMeasured(const LoadedCharacter& loaded) const;
  void followView();
  LoadedPtr makeLoaded(const ImportInputs& inputs, bool first);
  LoadedPtr known(const ImportInputs& inputs, int number, const std::vector<LoadedPtr>& before);
  void follow();
  void restart();
  void update(int number);
  void announce();
  void stop(const LoadedCharacter& loaded);

  void read(const LoadedPtr& loaded, Purpose purpose);
  void install(const LoadedPtr& loaded, Purpose purpose, const CharacterStage& stage);
  void enter(const LoadedPtr& loaded, Purpose purpose);
  void bake(const LoadedPtr& loaded, const ProjectCharacter& settings, Purpose purpose);
  void installAtlas(const LoadedPtr& loaded, const AtlasPtr& atlas, Purpose purpose,
                    double seconds);
  void measure(const LoadedPtr& loaded);
  void measureMissing(int number);
  void count(const LoadedPtr& loaded, const ProjectCharacter& settings);
  void join(const LoadedPtr& loaded);
  void addToProject(const QString& undoText, ProjectCharacter added, const CharacterPtr& rig);
  void refuse(const LoadedPtr& loaded, const Error& error, Purpose purpose);
  void onFinished(const QString& tag, bool cancelled);
  void notify(const Error& error);
  void report(const LoadedPtr& loaded, Purpose purpose);

  Document& document_;
  TaskRunner& tasks_;
  PropSession* props_;
  LiveBake* live_;
  TaskRunner quick_;            // for costs, which are computed while a bake runs
  std::vector<LoadedPtr> now_;  // indexed by number; null without sources
  std::deque<LoadedPtr> earlier_;
  CharacterPtr announced_;
  DrawnAs drawn_;  // by the project's view
  int made_ = 0;
  int imports_ = 0;
};

}  // namespace ck::ui
