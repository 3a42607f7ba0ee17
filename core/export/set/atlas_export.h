#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/export/export_format.h"
#include "core/export/sidecar_json.h"
#include "core/export/targets/export_target.h"
#include "core/import/import_process.h"

namespace ck {

struct ExportSettings {
  // The files to write for an atlas `name`: `name` + ExportFormat::ending. An image is always
  // written with the sidecar.
  ExportKinds kinds = {ExportKind::Ckatlas, ExportKind::Json};
  // For the sidecar: the files besides the rig that clips came from, in order.
  std::vector<ClipSource> clipSources = {};
  // For the sidecar: events, one entry per clip of the atlas, or none.
  std::vector<ExportedEvents> clipEvents = {};
  // What else to write. Each of these needs `character`, and the sidecar is written with them.
  std::set<TargetKind> targets = {};
  SkinUv skinUv = SkinUv::None;  // of the mesh
  // Draws the pictures of TargetKind::Impostors, which needs it; the web page and three.js then
  // draw far actors with them.
  DrawImpostors drawImpostors = {};
  // What the atlas was baked from, at the atlas's scale; must outlive the export. With it the
  // sidecar has ExportedRig.
  const Character* character = nullptr;
  // The files that are read for this export. None may lie where the set is written.
  std::vector<std::filesystem::path> inputs = {};
};

// The clip sources of an import from these files, the rig first: paths as given with their hashes.
// Empty if a file cannot be read or a path is not UTF-8.
std::vector<ClipSource> clipSourcesOf(const std::vector<ImportFile>& files);

// What an export has written.
struct ExportedSet {
  std::vector<ExportedFile> files;      // the sidecar last
  std::vector<ExportedTarget> targets;  // in the order of TargetKind
  Notes notes;                          // what earlier exports had left (SetFolder::notes())
};

// Checks that the formats can hold this encoding. Fails with InvalidInput and names the formats
// that can.
Result<void> checkExport(Encoding encoding, const ExportSettings& settings);

// Writes the files to a temporary folder inside `folder` (whose parent may be read-only or on
// another file system). Each file is read back and compared with the atlas texel by texel, and with
// its events. Then the files are moved into place, the sidecar last, because its hashes confirm the
// set. An existing set of that name is replaced as a whole, including files of formats and targets
// that are not exported now; what others put into the folders of targets, or where a file of one
// would lie, stays (foreign_files.h). Fails with CannotWrite (the system's reason), InvalidInput
// (see checkExport(), and what a target cannot hold), NoGraphics and LimitExceeded (drawImpostors),
// Internal if a file reads back differently, and Cancelled; the old set is then unchanged. `error`
// is written to the sidecar and the container if given.
Result<ExportedSet> exportAtlas(const Atlas& atlas, const std::string& name,
                                const std::filesystem::path& folder, const ExportSettings& settings,
                                const BakeError* error = nullptr, JobContext job = {});

}  // namespace ck
