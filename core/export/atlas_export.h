#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake_error.h"
#include "core/base/job.h"
#include "core/export/export_format.h"
#include "core/export/sidecar_json.h"

namespace ck {

struct ExportSettings {
  // The files to write for an atlas `name`: `name` + ExportFormat::ending. An image is always
  // written with the sidecar.
  ExportKinds kinds = {ExportKind::Ckatlas, ExportKind::Json};
  // For the sidecar: the files besides the rig that clips came from, in order.
  std::vector<ClipSource> clipSources = {};
  // For the sidecar: events, one entry per clip of the atlas, or none.
  std::vector<ExportedEvents> clipEvents = {};
  bool operator==(const ExportSettings&) const = default;
};

// The clip sources of an import from these files, the rig first: paths as given with their hashes.
// Empty if a file cannot be read or a path is not UTF-8.
std::vector<ClipSource> clipSourcesOf(const std::vector<std::string>& files);

// The name of a file of the set `name`: "soldier.atlas.exr".
std::string fileNameOf(const std::string& name, ExportKind kind);

// Checks that the formats can hold this encoding. Fails with InvalidInput and names the formats
// that can.
Result<void> checkExport(Encoding encoding, const ExportSettings& settings);

// Writes the files to a temporary folder inside `folder` (whose parent may be read-only or on
// another file system). Each file is read back and compared with the atlas texel by texel. Then the
// files are moved into place, the sidecar last, because its hashes confirm the set. An existing set
// of that name is replaced as a whole, including files of formats that are not exported now. Fails
// with CannotWrite (the system's reason), InvalidInput (see checkExport()), Internal if a file
// reads back differently, and Cancelled; the old set is then unchanged. `error` is written to
// the sidecar and the container if given.
Result<std::vector<ExportedFile>> exportAtlas(const Atlas& atlas, const std::string& name,
                                              const std::filesystem::path& folder,
                                              const ExportSettings& settings,
                                              const BakeError* error = nullptr,
                                              JobContext job = {});

}  // namespace ck
