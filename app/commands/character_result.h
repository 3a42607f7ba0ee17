#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/options/json.h"
#include "app/options/options.h"
#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "core/bake/components.h"
#include "core/export/set/atlas_export.h"
#include "core/stage/cast_export.h"

namespace ck::cli {

// The result of a limit that was requested.
struct LimitCheck {
  std::string name;  // of the option, without dashes in front
  double limit = 0.0;
  double value = 0.0;
  bool met() const { return value <= limit; }
};

// The check of one image set of a folder.
struct SetCheck {
  std::string name;
  ExportKind kind = ExportKind::Ckatlas;
  bool same = true;  // decodes to the atlas of the report, texel by texel
};

// A character that a command baked or read, measured, and what it wrote of it.
struct CharacterResult {
  CastAtlas cast;                              // its error is there
  std::string name;                            // of its set
  std::optional<ChosenComponents> components;  // only if it was baked by this command
  ExportedSet written;
  std::vector<LimitCheck> limits;
  std::vector<SetCheck> sets;
  Notes notes;
};
// "limits" of a document, if there are some, and the same as lines.
void addLimits(Json& document, const std::vector<LimitCheck>& limits);
std::string limitLines(const std::vector<LimitCheck>& limits);

Notes notesOf(const std::vector<CharacterResult>& cast);

// The limits that are requested, with the figures of the reading that its settings ask for.
std::vector<LimitCheck> limitChecks(const FitLimits& limits, const CharacterResult& result);

// Whether all limits are met and all image sets decode to the same poses.
bool allMet(const std::vector<CharacterResult>& cast);

// The document of one result.
Json resultJson(const CharacterResult& result);
std::string resultText(const CharacterResult& result);

// The document of the first result, with the options that edited the project. If there are several
// characters, the others' documents are in its list "others".
Json resultsJson(const std::vector<CharacterResult>& cast,
                 const std::vector<std::string>& overridden);
std::string resultsText(const std::vector<CharacterResult>& cast);

}  // namespace ck::cli
