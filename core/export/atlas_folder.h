#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"
#include "core/export/export_format.h"
#include "core/export/picture_reading.h"
#include "core/export/sidecar_json.h"

namespace ck {

// An image set in a folder, decoded to an Atlas: the container, or a sidecar with an image.
struct FoundAtlas {
  std::string name;  // "soldier"
  ExportKind kind = ExportKind::Ckatlas;
  Atlas atlas;
  std::vector<ClipSource> clipSources = {};  // if the sidecar has them
  // If the sidecar has them: one entry per clip, or none.
  std::vector<ExportedEvents> clipEvents = {};
  UpAxis sourceUpAxis = UpAxis::Auto;  // of the rig file, if the sidecar has it
};

// All image sets in `folder`, sorted by name and kind. Changes nothing in the folder; waits for an
// export that replaces files now, at most 10 s. Fails with FileNotFound if there is none, with
// InvalidInput if one is damaged, its hashes differ from those in the sidecar, or files of two
// exports are mixed (setFindings()), and as runImportWorker().
Result<std::vector<FoundAtlas>> readAtlasFolder(const std::filesystem::path& folder,
                                                const FolderReading& how = {});

}  // namespace ck
