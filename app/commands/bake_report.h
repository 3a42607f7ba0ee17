#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/json.h"
#include "app/commands/options.h"
#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "core/bake/components.h"
#include "core/export/set/atlas_export.h"

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

// The results of `kiln bake` or `kiln verify` for one atlas.
struct BakeReport {
  std::string name;
  const Atlas* atlas = nullptr;
  BakeError error;
  std::optional<ChosenComponents> components;  // only if it was baked by this command
  ExportedSet written;
  std::vector<LimitCheck> limits;
  std::vector<SetCheck> sets;
  Notes notes;
};

// The limits that are requested, with the figures of one reading.
std::vector<LimitCheck> limitChecks(const Limits& limits, Reading reading,
                                    const BakeReport& report);

bool allMet(const BakeReport& report);

// The document of the first report. If a folder has several atlases, the others' documents are in
// its list "others".
Json reportJson(const std::vector<BakeReport>& reports);
std::string reportText(const BakeReport& report);

}  // namespace ck::cli
