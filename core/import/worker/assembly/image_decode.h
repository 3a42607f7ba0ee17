#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

namespace ck::worker {

// Decodes a PNG, JPEG, WebP, BMP, TGA or KTX2 (webp_decode.h, ktx2_decode.h) of at most 8192 x 8192
// into 8-bit RGBA. Errors: Unsupported, LimitExceeded, InvalidInput.
Result<Image> decodeImage(std::span<const std::byte> bytes, std::string name);

// Decodes the image that a rig file refers to by one of these paths, which may have backslashes.
// Exporters often write absolute paths of another machine, and artists move pictures; then the file
// of that name in the folder or one below it is used, in any letter case. Fails as
// SourceFolder::read() does for the first path.
Result<Image> imageInFolder(std::span<const std::string> paths, SourceFolder& folder);

// Whether an image is grey: a height map, which some formats list where normal maps are expected.
bool isGrey(const Image& image);

// Adds an image to the scene and returns its index; -1 with the note PictureUnreadable if there is
// none.
int addImage(Result<Image> image, SourceScene& scene);

}  // namespace ck::worker
