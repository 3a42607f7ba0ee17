#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake_error.h"
#include "core/base/job.h"
#include "core/crowd/clip_events.h"
#include "core/export/clip_source.h"
#include "core/export/export_format.h"

namespace ck {

struct ExportSettings {
  // Which files to write for an atlas called `name`: `name` + ExportFormat::ending. A picture
  // brings the sidecar along.
  ExportKinds kinds = {ExportKind::Ckatlas, ExportKind::Json};
  // For the record in the sidecar: the files besides the rig that clips came from, in order.
  std::vector<ClipSource> clipSources = {};
  // Events for the sidecar: one list per clip of the atlas, or no list.
  std::vector<std::vector<CrowdEvent>> clipEvents = {};
  bool operator==(const ExportSettings&) const = default;
};

struct ExportedFile {
  std::string name;
  std::uintmax_t bytes = 0;
  std::string xxh3;  // 16 hex digits of XXH3-64 of the file's bytes
};

// What ExportSettings::clipSources records of an import from these files, the rig first: paths as
// given with their hashes. Empty where a file cannot be read or a path is no UTF-8.
std::vector<ClipSource> clipSourcesOf(const std::vector<std::string>& files);

// The name of a file of the set `name`: "soldier.atlas.exr".
std::string fileNameOf(const std::string& name, ExportKind kind);

// Whether such files can hold an atlas in this encoding; fails with InvalidInput and says which
// can.
Result<void> checkExport(Encoding encoding, const ExportSettings& settings);

// Writes the files into a temporary folder inside `folder` (its parents may be read-only or another
// file system), reads every one back and compares it with the atlas texel by texel, and only then
// moves them into place, the sidecar last: its hashes say that the set is whole. A set of the same
// name is replaced as a whole, files that are no longer asked for included. Fails with CannotWrite
// (the reason of the system), InvalidInput (see checkExport), Internal where a file does not read
// back the same, and Cancelled; then nothing of the old set has changed. `error` goes into the
// sidecar where given.
Result<std::vector<ExportedFile>> exportAtlas(const Atlas& atlas, const std::string& name,
                                              const std::filesystem::path& folder,
                                              const ExportSettings& settings,
                                              const BakeError* error = nullptr,
                                              JobContext job = {});

// An image set found in a folder and decoded to an Atlas: the container, or sidecar + picture.
struct FoundAtlas {
  std::string name;  // "soldier"
  ExportKind kind = ExportKind::Ckatlas;
  Atlas atlas;
  std::vector<ClipSource> clipSources = {};              // where the sidecar names them
  std::vector<std::vector<CrowdEvent>> clipEvents = {};  // likewise; one list per clip, or no list
};

// Every image set of the atlases in `folder`, ordered by name and kind. Fails with FileNotFound
// where there is none, and with InvalidInput where one is damaged or its files do not belong
// together (their hashes are not those of the sidecar).
Result<std::vector<FoundAtlas>> readAtlasFolder(const std::filesystem::path& folder);

}  // namespace ck
