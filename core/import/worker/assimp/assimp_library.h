#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Collada is read through Assimp, which takes longer to load than most rigs take to read. It is in
// a library of its own beside the worker, kiln-assimp.so, which has this under the name
// kAssimpReader and is loaded for this format only (loadReaderOf()).
struct AssimpReader {
  const char* version;  // version() of the program that it was built with
  // Reads a Collada file as Assimp gives it. Assimp sees only its reader of that format, and only
  // files of the folder. May crash on damaged files.
  Result<SourceScene> (*read)(const RigSource& source);
};

}  // namespace ck::worker
