#pragma once

#include <string>

#include "core/base/result.h"

namespace tinygltf {
class Model;
}

// The extensions of glTF: which are read, and which are not and need a note.
namespace ck::worker {

// For an extension that the file requires. Fails with Unsupported if the file would be read wrongly
// without it.
Result<void> checkRequiredExtension(const std::string& name);

// One note for each extension that the file uses or requires and of which something is not shown.
// Extensions that are in the list of the file but in no material are noted, too. Cameras and lights
// have one note together.
void noteExtensions(const tinygltf::Model& model, Notes& notes);

}  // namespace ck::worker
