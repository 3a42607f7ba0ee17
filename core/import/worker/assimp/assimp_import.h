#pragma once

#include "core/import/worker/formats/file_kind.h"
#include "core/import/worker/gltf/gltf_import.h"

namespace ck::worker {

// Reads FBX, Collada and X through Assimp. FBX pivots are lost, and curves become linear between
// keys. Every result has the note "ProvisionalReader". Only Assimp's reader for `kind` is enabled,
// and only files of `folder` are opened. Assimp may crash on damaged files. Errors: ImportFailed,
// Unsupported; the message does not name the rig file.
Result<SourceScene> readWithAssimp(std::span<const std::byte> bytes, FileKind kind,
                                   SourceFolder& folder, const Progress& progress);

}  // namespace ck::worker
