#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/atlas_check.h"
#include "core/bake/bake_error.h"
#include "core/base/result.h"
#include "core/crowd/clip_events.h"
#include "core/export/clip_source.h"
#include "core/export/export_format.h"

namespace ck {

// A file that a sidecar describes.
struct SidecarFile {
  std::string name;  // without folders
  ExportKind kind = ExportKind::Ckatlas;
  std::uint64_t bytes = 0;
  std::string xxh3;  // 16 hex digits
};

// The content of a sidecar besides the atlas.
struct SidecarExtras {
  std::vector<ClipSource> clipSources;  // "source.clipFiles"; omitted if empty
  // "events" of every clip, omitted if a clip has none; one list per Atlas::clips, or no lists.
  std::vector<std::vector<CrowdEvent>> clipEvents;
};

// The content of `name.atlas.json` (docs/atlas-json.md, docs/atlas.schema.json).
struct Sidecar {
  int version = 2;  // 1: without components and inverse bind matrices
  std::string name;
  Atlas atlas;  // without texels
  std::vector<SidecarFile> files;
  SidecarExtras extras;
};

// The text of a sidecar. `error` may be nullptr.
std::string sidecarText(const Atlas& atlas, const std::string& name,
                        const std::vector<SidecarFile>& files, const BakeError* error,
                        const SidecarExtras& extras = {});

}  // namespace ck
