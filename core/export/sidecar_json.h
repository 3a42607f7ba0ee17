#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake_error.h"
#include "core/base/result.h"
#include "core/crowd/clip_events.h"
#include "core/export/clip_source.h"
#include "core/export/export_format.h"

namespace ck {

// A file that a sidecar speaks for.
struct SidecarFile {
  std::string name;  // without folders
  ExportKind kind = ExportKind::Ckatlas;
  std::uint64_t bytes = 0;
  std::string xxh3;  // 16 hex digits
};

// What a sidecar says besides the atlas.
struct SidecarExtras {
  std::vector<ClipSource> clipSources;  // "source.clipFiles", left out where there are none
  // "events" of every clip, left out where it has none; one list per Atlas::clips, or no list.
  std::vector<std::vector<CrowdEvent>> clipEvents;
};

// What `name.atlas.json` says (docs/atlas-json.md, docs/atlas.schema.json).
struct Sidecar {
  int version = 2;  // 1: without components and inverse bind matrices
  std::string name;
  Atlas atlas;  // everything but the texels
  std::vector<SidecarFile> files;
  SidecarExtras extras;
};

// The text of a sidecar. `error` may be nullptr.
std::string sidecarText(const Atlas& atlas, const std::string& name,
                        const std::vector<SidecarFile>& files, const BakeError* error,
                        const SidecarExtras& extras = {});

// Reads it back. Fails with InvalidInput (what is missing or makes no sense) and Unsupported (a
// newer version). The atlas it returns has no texels and is not yet checked as a whole.
Result<Sidecar> sidecarFromText(std::string_view text);

// Whether a text says all that this program would write of the atlas it describes, and says it the
// same way: rows and formats that follow from other fields are for readers of the pictures, and
// must be right too. The error figures are left alone. The atlas must have passed checkAtlas.
Result<void> checkRestated(std::string_view text, const Sidecar& sidecar);

}  // namespace ck
