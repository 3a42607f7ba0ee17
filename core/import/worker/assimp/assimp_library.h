#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Collada and X are read through Assimp, which takes longer to load than most rigs take to read. It
// is in a library of its own beside the worker, kiln-assimp.so, which has this under the name
// kAssimpReader and is loaded for these formats only (loadReaderOf()).
struct AssimpReader {
  const char* version;  // version() of the program that it was built with
  // Reads the file as Assimp gives it. Assimp sees only its reader of that format, and only files
  // of the folder. May crash on damaged files.
  Result<SourceScene> (*read)(RigKind kind, const RigSource& source);
};

}  // namespace ck::worker
