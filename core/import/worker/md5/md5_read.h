#pragma once

#include <span>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

// Readers of MD5, the text format of Doom 3 (version 10): meshes in .md5mesh, one clip per
// .md5anim. File space is Z up; the format has no unit, so units are read as metres.
namespace ck::worker {

// Reads joints with their bind pose, and all weights of every vertex. A vertex's bind position is
// computed from its weights. Images are searched in `folder` by the last part of the shader's name.
// Errors: InvalidInput with the line.
Result<SourceScene> readMd5Mesh(std::span<const std::byte> bytes, SourceFolder& folder);

// Reads the hierarchy with the base frame as rest pose, and one unnamed clip. Frame i is at i /
// frameRate. Components that the frames do not contain keep the value of the base frame. Errors:
// InvalidInput with the line.
Result<SourceScene> readMd5Anim(std::span<const std::byte> bytes);

// The rotation that MD5 stores as three numbers; w is never positive.
glm::dquat md5Rotation(const glm::dvec3& xyz);

}  // namespace ck::worker
