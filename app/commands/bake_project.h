#pragma once

#include <string>
#include <vector>

#include "app/commands/bake_report.h"
#include "app/commands/options.h"
#include "core/export/set/atlas_export.h"

namespace ck::cli {

// What the command line says about the bake of a project; the rest is the project's.
struct ProjectBakeOptions {
  std::string project;  // path of the .crowd file
  std::string folder;   // to write into
  Limits limits;
  Reading reading = Reading::Palette;  // that the limits apply to
  ScreenOptions screen;                // what is not given is the project's
  ExportSettings exports;
};

struct BakedProject {
  std::vector<AtlasPtr> atlases;  // of the reports
  std::vector<BakeReport> reports;
};

// Bakes all characters of a project that are not variants, each with its own sources, clips, edits,
// titles and events, and writes them to one folder under the names that `kiln export` gives them.
// Nothing is written before all of them are baked and measured; then every set replaces the old one
// as a whole. A failure of a further character begins with its title, and has the notes so far.
UsageResult<BakedProject> bakeProject(const ProjectBakeOptions& options, const JobContext& job);

}  // namespace ck::cli
