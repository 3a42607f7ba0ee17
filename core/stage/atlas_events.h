#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/export/sidecar_json.h"
#include "core/project/project.h"
#include "core/scene/character.h"

namespace ck {

// The events for an export of the atlas, with what the artist added to those of the rig file and
// left out of them. One entry per clip of the atlas; clips are matched by name. No entries if no
// clip has events here or in the file.
std::vector<ExportedEvents> atlasEvents(const Atlas& atlas, const Character& character,
                                        std::span<const ProjectClip> clips);

// Compares exported events with those of the rig file: names, and times to 1e-6 of the clip. Events
// that the artist added are not compared. Returns the first difference as a sentence; empty if
// there is none.
std::string firstFalseEvent(const Atlas& atlas, const Character& character,
                            std::span<const ExportedEvents> exported);

}  // namespace ck
