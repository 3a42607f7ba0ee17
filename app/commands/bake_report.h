#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake_error.h"
#include "core/bake/components.h"
#include "core/export/atlas_export.h"

namespace ck::cli {

// One limit that was asked for.
struct LimitCheck {
  std::string name;  // "max-error" or "max-bytes"
  double limit = 0.0;
  double value = 0.0;
  bool met() const { return value <= limit; }
};

// One decoded image set of a folder.
struct SetCheck {
  std::string name;
  ExportKind kind = ExportKind::Ckatlas;
  bool same = true;  // decodes to the atlas of the report, texel by texel
};

// What `kiln bake` and `kiln verify` have to say about an atlas.
struct BakeReport {
  std::string name;
  const Atlas* atlas = nullptr;
  BakeError error;
  std::optional<ChosenComponents> components;  // where it was baked just now
  std::vector<ExportedFile> files;
  std::vector<LimitCheck> limits;
  std::vector<SetCheck> sets;
  Notes notes;
};

bool allMet(const BakeReport& report);

// The document of the first report; where a folder held several atlases, those of the others are
// in its list "others".
std::string reportJson(const std::vector<BakeReport>& reports);
std::string reportText(const BakeReport& report);

// Both readings as the documents have them, the members "error" and "errorDirect" of an object.
std::string errorJson(const BakeError& error);

}  // namespace ck::cli
