#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "core/bake/bake_error.h"
#include "core/project/character_stage.h"
#include "core/project/pipeline.h"

namespace ck::ui {

// Where the files of a character stand.
enum class CharacterState { Reading, Ready, Refused };

// What was made of one character that is no variant.
struct LoadedCharacter {
  ImportInputs inputs;
  QString key;  // of its tasks; empty for the first character
  CharacterState state = CharacterState::Reading;
  QString problem;  // why it was refused
  std::optional<CharacterSource> source;
  AtlasPtr atlas;
  BakeSettings bakedBy;               // what the atlas was baked by
  std::optional<BakeSettings> asked;  // what was baked last, or is being baked
  std::optional<BakeError> error;
  CharacterFigures figures;
  std::optional<ProjectCharacter> counted;  // what the figures are of, or will be
  bool waits = false;                       // to be measured once nothing is baked

  bool isFirst() const { return key.isEmpty(); }
  QString tag(const QString& kind) const { return isFirst() ? kind : kind + u'/' + key; }

  // What would be baked of a clip; null while unknown or where its edit does not fit.
  const BakeWindow* window(const ProjectClip& clip) const;
  // What a clip takes of the atlas; 0 where it is not baked.
  std::size_t bytes(const ProjectClip& clip) const;
};
using LoadedPtr = std::shared_ptr<LoadedCharacter>;

}  // namespace ck::ui
