#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/stage/character_stage.h"
#include "core/stage/pipeline.h"
#include "ui/document/measured_errors.h"
#include "ui/document/notices.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

// The state of a character's files.
enum class CharacterState { Reading, Ready, Refused };

// The purpose of reading sources: install them as they are in the project; start a new project; add
// clips to a character; fit a character's files otherwise; add a character.
enum class Purpose { OfProject, NewRig, MoreClips, Refit, Joins };

// The results for one character that is not a variant.
struct LoadedCharacter {
  ImportInputs inputs;
  Purpose purpose = Purpose::OfProject;  // of the last reading
  ImportInputs replaces = {};            // MoreClips, Refit: the inputs that the project has so far
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

  CharacterPtr character() const { return source ? source->character : nullptr; }
};
// Makes these results in the background, each step when it is called for. It knows neither the
// project nor other characters. The newest call of a step replaces a running one.
class CharacterLoader : public QObject,
                        public LoadedCharacter,
                        public std::enable_shared_from_this<CharacterLoader> {
  Q_OBJECT

 public:
  // The first part of the tags of tasks that read a character's files.
  static constexpr char kReadingTask[] = "import";
  static constexpr char kMeasuringTask[] = "measure";

  // `tasks` runs all steps but counting, which `quick` does while a bake runs. Without them
  // nothing may be called but the destructor.
  CharacterLoader(const ImportInputs& read, TaskRunner& tasks, TaskRunner& quick);
  ~CharacterLoader() override;  // cancels what runs

  // Reads the inputs as sources of `wanted`; `beside` as in readCharacterStage(). Ends with
  // wasRead(), refused(), or, if it is cancelled, changed().
  void read(ProjectCharacter wanted, const std::filesystem::path& beside);
  // Computes the figures, unless they are those of these settings. Ends with counted().
  void count(const ProjectCharacter& settings);
  // Ends with baked(), failed() or, where the character is to join a project, refused(). The atlas
  // stays until there is a new one.
  void bake(const ProjectCharacter& settings);
  // Measures the errors that are not known of the atlas. Ends with measured().
  void measure();
  void stop();

  // Sets how the view draws, which is measured besides the atlas as it was baked.
  void setDrawn(const DrawnAs& drawn);
  bool isMeasured() const;
  bool isMeasuring() const;  // running, or put off
  // Measures later, when resumeMeasuring() is called, so that a bake comes first.
  void holdMeasuring(bool isDue);
  void resumeMeasuring();

  // Null until it is measured.
  const BakeError* error(const DrawnAs& drawn) const;
  bool isReading() const;
  bool isBaking() const;

 signals:
  // `first`: whether it is the first reading. Source, atlas and state are set.
  void wasRead(const ck::CharacterStage& stage, bool first);
  void refused(const ck::Error& error);
  void baked();
  void bakeEnded();  // after baked() or failed(), or if it was cancelled
  void counted();
  void measured();
  void failed(const ck::Error& error);  // a step has failed; what was there stays
  void changed();                       // the state

 private:
  QString tag(const QString& kind) const;
  void install(const CharacterStage& stage);
  void installAtlas(const AtlasPtr& atlas, double seconds);
  void refuse(const Error& error);
  void onFinished(const QString& tag, bool cancelled);

  QPointer<TaskRunner> tasks_;
  QPointer<TaskRunner> quick_;
  QString key_;    // suffix of the tags of its tasks
  DrawnAs drawn_;  // by the project's view
  bool waits_ = false;
  // The settings that the figures belong to, or will belong to.
  std::optional<ProjectCharacter> counted_;
};

using LoadedPtr = std::shared_ptr<const CharacterLoader>;

}  // namespace ck::ui
