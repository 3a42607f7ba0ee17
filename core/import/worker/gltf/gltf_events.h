#pragma once

#include <string>
#include <vector>

#include "core/import/worker/assembly/source_scene.h"

namespace tinygltf {
struct Animation;
}

namespace ck::worker {

// The events in an animation's extras, under "events" or "markers": a list of {"name", "seconds"}
// (or "time"), or an object of names with a time or a list of times, as Blender exports custom
// properties. The glTF standard has no events.
std::vector<ClipEvent> gltfEvents(const tinygltf::Animation& source, const std::string& shownName,
                                  Notes& notes);

}  // namespace ck::worker
