#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "core/bake/bake_error.h"
#include "core/project/character_stage.h"
#include "core/project/pipeline.h"

namespace ck::ui {

// The state of a character's files.
enum class CharacterState { Reading, Ready, Refused };

// The results for one character that is not a variant.
struct LoadedCharacter {
  ImportInputs inputs;
  QString key;  // suffix of its task tags; empty for the first character
  CharacterState state = CharacterState::Reading;
  QString problem;  // the error, if refused
  std::optional<CharacterSource> source;
  AtlasPtr atlas;
  BakeSettings bakedBy;               // the settings that the atlas was baked with
  std::optional<BakeSettings> asked;  // the settings of the last or running bake
  std::optional<BakeError> error;
  CharacterFigures figures;
  // The settings that the figures belong to, or will belong to.
  std::optional<ProjectCharacter> counted;
  bool waits = false;  // whether to measure when no bake runs

  bool isFirst() const { return key.isEmpty(); }
  CharacterPtr character() const { return source ? source->character : nullptr; }
  QString tag(const QString& kind) const { return isFirst() ? kind : kind + u'/' + key; }
};
using LoadedPtr = std::shared_ptr<LoadedCharacter>;

}  // namespace ck::ui
