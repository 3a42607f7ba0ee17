#pragma once

#include "core/import/worker/formats/rig_reader.h"

// MD5 is the text format of Doom 3 (version 10): meshes in .md5mesh, one clip per .md5anim. File
// space is Z up; the format has no unit, so units are read as metres.
namespace ck::worker {

// Joints as the file binds them, every weight of every vertex. Vertices lie at bind where their
// weights put them. Images are looked for beside the file under the last part of the shader's
// name. Errors: InvalidInput with the line.
Result<SourceScene> readMd5Mesh(const RigSource& source);

// The hierarchy with the base frame as its rest, and one clip without a name. Frame i is at
// i / frameRate. Parts of a joint that the frames do not give hold the base frame.
// Errors: InvalidInput with the line.
Result<SourceScene> readMd5Anim(const RigSource& source);

}  // namespace ck::worker
