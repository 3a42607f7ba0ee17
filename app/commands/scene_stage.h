#pragma once

#include <string>
#include <vector>

#include "app/options/scene_options.h"
#include "core/error/bake_error.h"
#include "core/stage/scene.h"
#include "render/view/character_entry.h"

namespace ck::cli {

// Loads the characters of the input as the window does, then the files of --with and --prop. A
// project has its own props and actors; options, or the file of --place, may replace the actors. A
// prop of a project that cannot be read is left out, with a note. If no encoding is requested, rigs
// are baked so that the method can draw them, with a note; a requested encoding that the requested
// method cannot draw is refused. Error messages about further characters start with the title.
UsageResult<Scene> makeScene(const SceneOptions& options, const JobContext& job);

// The characters of a scene as a renderer needs them.
std::vector<render::CharacterEntry> entriesOf(const Scene& scene);

// The names of the clips in their source, in the order of the atlas.
std::vector<std::string> clipNamesOf(const Atlas& atlas);

// Measures the bakes of a scene as they are drawn, one entry per character. Shared atlases are
// measured once. Errors name the character's title.
Result<std::vector<BakeError>> measureErrors(const Scene& scene, const DrawnAs& drawn,
                                             const JobContext& job);

}  // namespace ck::cli
