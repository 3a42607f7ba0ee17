#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/error/bake_error.h"
#include "core/stage/character_stage.h"
#include "ui/bake/bake_presets.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class Session;
class ShownCharacter;

// The cost and the error that each preset would have for the shown character. Every preset is baked
// and measured in the background, by one thread of low priority, while nothing else is baked or
// measured. The figures are kept for the settings that they belong to; the atlases are not.
class PresetFigures : public QObject {
  Q_OBJECT

 public:
  struct Figures {
    std::size_t bytes = 0;  // of the texture
    std::optional<BakeError> error =
        {};                // as the preset is meant to be read; seen as the project says
    QString problem = {};  // why it cannot be baked or measured; then nothing else
  };

  // All must outlive it.
  PresetFigures(const Document& document, const Session& session, const ShownCharacter& shown,
                QObject* parent = nullptr);

  // Measures only while they are shown. False cancels what runs.
  void setShown(bool shown);

  // Null until they are known, and for a character that is not edited here.
  const Figures* of(BakePreset preset) const;

 signals:
  void changed();

 private:
  struct Entry {
    CharacterPtr character;
    BakeSettings inputs;
    Figures figures;
  };
  std::optional<ProjectCharacter> settingsOf(BakePreset preset) const;
  const Entry* known(const ProjectCharacter& settings) const;
  bool mayRun() const;
  void follow();
  void measure(const ProjectCharacter& settings);

  const Document& document_;
  const Session& session_;
  const ShownCharacter& character_;
  std::vector<Entry> entries_;
  bool shown_ = false;
  BakeSettings running_;  // the inputs of the task
  TaskRunner idle_{nullptr, TaskRunner::Priority::Background};
};

}  // namespace ck::ui
