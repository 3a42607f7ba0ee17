#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/import/worker/assembly/source_scene.h"

namespace ck::worker {

// Decodes a PNG, JPEG, BMP or TGA of at most 8192 x 8192 into 8-bit RGBA. Errors: Unsupported,
// LimitExceeded, InvalidInput.
Result<Picture> decodePicture(std::span<const std::byte> bytes, std::string name);

// Adds a picture to the scene and returns its index; -1 with the note PictureUnreadable if there is
// none.
int addPicture(Result<Picture> picture, SourceScene& scene);

}  // namespace ck::worker
