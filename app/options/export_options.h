#pragma once

#include <string>
#include <vector>

#include "app/options/json.h"
#include "app/options/project_input.h"
#include "core/export/set/atlas_export.h"
#include "render/impostor_export.h"

namespace ck::cli {

// The options --export, --impostors, --only and --skin-uv.
struct ExportOptions {
  std::vector<std::string> wanted;  // names of kExportFormats and exportTargets()
  bool impostors = false;           // requested by --impostors
  bool only = false;                // ExportSettings::only
  std::size_t impostorBytes = render::kExportedImpostorBytes;
  SkinUv skinUv = SkinUv::None;
};
void addExportOptions(CLI::App& app, ExportOptions& options);

// The settings of the options. Without --export the neutral set is written: the container, the
// sidecar and the targets that are for any program. A picture brings the sidecar, an engine the
// neutral set but for the container.
ExportSettings exportSettings(const ExportOptions& options);

// Refuses options that act on files which are not written.
UsageResult<void> checkActs(const ExportOptions& options, const ExportSettings& settings);

// The settings for an export of this input into a folder, with the files that it reads; `inputs`
// are more of them. Fails as checkActs() does.
UsageResult<ExportSettings> exportSettings(const ExportOptions& options, const ProjectInput& input,
                                           const std::filesystem::path& folder,
                                           const std::vector<std::filesystem::path>& inputs);

// Adds the texels of a set that is exported into its own folder to what is written, unless others
// replace them: players are added to what is there.
void keepTexels(const FolderSet& set, const std::filesystem::path& from,
                const std::filesystem::path& folder, ExportSettings& settings);

// Refuses formats that cannot hold the encoding, and --event without the sidecar, which keeps it.
UsageResult<void> checkExports(const InputOptions& options, const ExportSettings& exports,
                               const ProjectCharacter& settings);

// "files" of a document, all that were written, and "targets": the names of the files of each, its
// error and what is lost.
void addWritten(Json& document, const ExportedSet& written);
// The same as lines.
std::string writtenLines(const ExportedSet& written);

}  // namespace ck::cli
