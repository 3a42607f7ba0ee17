#pragma once

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Read a glTF 2.0 file with the files that it names: JSON text, or a GLB, of which VRM is a kind.
// Everything that bears on joints, weights, rotations and interpolation is read as the standard
// says. Unsupported names a required extension.
Result<SourceScene> readGltf(const RigSource& source);
Result<SourceScene> readGlb(const RigSource& source);

}  // namespace ck::worker
