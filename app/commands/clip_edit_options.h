#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands/shell.h"
#include "core/bake/bake_settings.h"
#include "core/scene/character.h"

namespace CLI {
class App;
}

namespace ck::cli {

// What becomes of clips before they are baked. An entry is a value for all clips, or CLIP=VALUE for
// one, by name or #INDEX; later ones replace earlier ones.
struct ClipEditOptions {
  std::vector<std::string> roots;        // "keep", "strip", "extract"
  std::vector<std::string> rootJoints;   // names of joints; empty: found
  std::vector<std::string> rootAxes;     // "x,z,yaw" and the like
  std::vector<std::string> loopOffsets;  // shares of the clip's length
};
void addClipEditOptions(CLI::App& app, ClipEditOptions& options);

// The entries for all clips alone, for further rigs, whose clips have other names.
ClipEditOptions ofAllClips(const ClipEditOptions& options);

// Edits the clips that are to be baked. An option for a clip that is not among them is refused.
UsageResult<void> editClips(const ClipEditOptions& options, const Character& character,
                            std::span<BakeClip> clips);

}  // namespace ck::cli
