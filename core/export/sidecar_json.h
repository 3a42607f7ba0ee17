#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "core/base/result.h"
#include "core/crowd/clip_events.h"
#include "core/export/export_format.h"

namespace ck {

// A file of a set. A sidecar describes the others.
struct ExportedFile {
  std::string name;  // without folders
  ExportKind kind = ExportKind::Ckatlas;
  std::uint64_t bytes = 0;
  std::string xxh3;  // XXH3-64 of the file's bytes, 16 hex digits
};

// A file besides the rig that clips of an atlas came from. It is recorded so that the file can be
// found again.
struct ClipSource {
  std::string path;        // as it was given, UTF-8
  std::uint64_t hash = 0;  // XXH3-64 of its bytes
  bool operator==(const ClipSource&) const = default;
};

// The content of `name.atlas.json` (docs/atlas-json.md, docs/atlas.schema.json).
struct Sidecar {
  // 1: without components and inverse bind matrices. 3: clips may have step frames; sidecarText()
  // writes 3 where one has.
  int version = 2;
  std::string name;
  Atlas atlas;  // its texels are not stored
  std::vector<ExportedFile> files = {};
  std::vector<ClipSource> clipSources = {};  // "source.clipFiles"; omitted if empty
  // "events" of every clip, omitted if a clip has none; one list per Atlas::clips, or no lists.
  std::vector<std::vector<CrowdEvent>> clipEvents = {};
};

// The text of a sidecar. `error` may be nullptr.
std::string sidecarText(Sidecar sidecar, const BakeError* error = nullptr);

// Parses a sidecar. Fails with InvalidInput (what is missing or invalid) and Unsupported (a newer
// version). The returned atlas has no texels and has not been checked as a whole.
Result<Sidecar> sidecarFromText(std::string_view text);

// Checks that a text contains all data that this program would write for its atlas, with equal
// values. This includes derived fields like rows and formats, which other readers use. Error
// figures are ignored. The atlas must have passed checkAtlas().
Result<void> checkRestated(std::string_view text, const Sidecar& sidecar);

}  // namespace ck
