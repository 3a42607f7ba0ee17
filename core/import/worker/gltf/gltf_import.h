#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/import/worker/assembly/source_scene.h"
#include "core/import/worker/confinement/source_folder.h"

namespace ck::worker {

// Fraction in [0, 1], and a description for the user.
using Progress = std::function<void(float fraction, std::string_view step)>;

// Reads a glTF 2.0 file (`bytes`: JSON text or GLB) and the files it refers to in `folder`. Joints,
// weights, rotations and interpolation follow the specification exactly. Errors: ImportFailed,
// InvalidInput, Unsupported (a required extension, by name), LimitExceeded; the message does not
// name the rig file.
Result<SourceScene> readGltf(std::span<const std::byte> bytes, SourceFolder& folder,
                             const Progress& progress);

// Whether the bytes start like a GLB, or like JSON that may be glTF.
bool looksLikeGlb(std::span<const std::byte> bytes);
bool looksLikeJson(std::span<const std::byte> bytes);

}  // namespace ck::worker
