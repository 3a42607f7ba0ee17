#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/bake/bake.h"
#include "core/bake/bake_error.h"
#include "core/bake/bake_window.h"
#include "core/bake/seam.h"
#include "core/export/atlas_export.h"
#include "core/project/pipeline.h"
#include "ui/document/notice.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class CastSession;
class Document;
class PropSession;

// Where the atlas stands in relation to the project.
enum class BakeState { NoRig, NoClips, NothingTicked, Missing, Baking, Outdated, UpToDate };

// What was made from the document: the character, its atlas, what the atlas would cost and how
// exact it is. Compares the inputs of each stage when the document changes and starts the work that
// became necessary. Baking is the artist's decision, but for a rig that has no atlas yet.
class Session : public QObject {
  Q_OBJECT

 public:
  // Both must outlive the session.
  Session(Document& document, TaskRunner& tasks, QObject* parent = nullptr);

  const CharacterPtr& character() const { return now_.character; }
  // One per clip of the character.
  const std::vector<SeamVerdict>& seams() const { return now_.seams; }
  // What would be baked of each clip of the project, in its order; nothing for those that are not
  // known yet or whose shape does not fit.
  const std::vector<std::optional<BakeWindow>>& windows() const { return windows_; }
  // Of this character, possibly baked with older settings; null until there is one.
  const AtlasPtr& atlas() const { return now_.atlas; }
  const std::optional<BakeError>& bakeError() const { return now_.error; }
  // Whether that is on its way. It may have been cancelled, or have failed; then it can be asked
  // for again.
  bool isMeasuring() const;
  void measureAgain();
  // Under the project's settings, before baking; nothing without a rig or ticked clips.
  const std::optional<Result<BakeCost>>& cost() const { return cost_; }
  BakeState bakeState() const;
  // Why the project's settings cannot be baked, with what would fit; empty where they can or where
  // there is nothing to bake.
  QString refusal() const;

  // The project's further characters.
  CastSession& cast() { return *cast_; }
  const CastSession& cast() const { return *cast_; }
  // What stands in the scene.
  PropSession& props() { return *props_; }
  const PropSession& props() const { return *props_; }

  // The rig of the first file takes the place of the one there is, with its clips, those of the
  // further files and a new small crowd.
  void importRig(const QStringList& paths);
  // Adds the clips of these files to the rig, matched by joint name.
  void addClips(const QStringList& paths);
  // Reads all sources of the project again.
  void reimport();
  // Does nothing unless bakeState() is Missing, Outdated or UpToDate.
  void bakeNow();
  void exportTo(const QString& folder, const QString& name, const ExportSettings& settings);
  // Writes the atlas beside the project file, so that opening it needs no bake.
  void keepAtlasBeside(const QString& projectPath);

 signals:
  void characterChanged();
  void atlasChanged();
  void bakeErrorChanged();
  void costChanged();
  void windowsChanged();
  void bakeStateChanged();
  // Success, for the status bar.
  void reported(const QString& text);
  void noticed(const ck::ui::Notice& notice);
  // The artist wants to show where this source of the project, an index, lies now.
  void locateAsked(int source);

 private:
  enum class Adopt { NewRig, MoreClips, SameClips };
  // A character and everything made from it; older ones are kept so that undo needs no import.
  struct Loaded {
    ImportInputs inputs;
    CharacterPtr character;
    std::vector<SeamVerdict> seams;
    AtlasPtr atlas;
    BakeSettings atlasSettings;
    std::optional<BakeError> error;
  };

  void onChanged(const Project& before, const Project& now);
  void startImport(const ImportInputs& inputs, Adopt adopt);
  void installImport(Loaded loaded, Adopt adopt);
  void install(Loaded loaded);
  void reportNotes(const Character& character, Adopt adopt);
  void offerScaling(const Character& character, const ImportInputs& inputs);
  void importRefused(const Error& error, const ImportInputs& inputs);
  void startCost();
  void startWindows();
  void installAtlas(AtlasPtr atlas, const BakeSettings& settings, bool fresh, double seconds);
  void startMeasuring();

  Document& document_;
  TaskRunner& tasks_;
  CastSession* cast_;
  PropSession* props_;
  TaskRunner quick_;  // so that costs are live while a bake runs
  Loaded now_;
  std::deque<Loaded> earlier_;
  std::optional<Result<BakeCost>> cost_;
  std::vector<BakeClip> windowClips_;  // of which windows_ were made
  BakeSettings windowSettings_;
  CharacterPtr windowCharacter_;
  std::vector<std::optional<BakeWindow>> windows_;
};

}  // namespace ck::ui
