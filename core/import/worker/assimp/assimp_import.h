#pragma once

#include "core/import/worker/formats/file_kind.h"
#include "core/import/worker/gltf/gltf_import.h"

namespace ck::worker {

// Reads FBX, Collada and X through Assimp, as it gives them: FBX pivots are not kept, and
// curves are straight between keys. Every such import carries the note "ProvisionalReader". Only
// the reader for `kind` is used and only files of `folder` are opened. May crash on damaged files.
// Errors: ImportFailed, Unsupported; the message does not name the rig file.
Result<SourceScene> readWithAssimp(std::span<const std::byte> bytes, FileKind kind,
                                   SourceFolder& folder, const Progress& progress);

}  // namespace ck::worker
