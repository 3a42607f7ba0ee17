#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/options/shell.h"
#include "core/project/project.h"
#include "core/scene/character.h"

namespace CLI {
class App;
}

namespace ck::cli {

// Edits of the clips of a character before they are baked. Entries of the four lists in the middle
// are a value for all clips, or CLIP=VALUE for one; later ones replace earlier ones.
struct ClipOptions {
  std::vector<std::string> clips = {};        // listed(): those to bake; empty: as they are ticked
  std::optional<SeamChoice> seam = {};        // of all clips
  std::optional<LoopMode> loop = {};          // of all clips
  std::vector<std::string> roots = {};        // "keep", "strip", "extract"
  std::vector<std::string> rootJoints = {};   // names of joints; empty: found
  std::vector<std::string> rootAxes = {};     // "x,z,yaw" and the like
  std::vector<std::string> loopOffsets = {};  // shares of the clip's length
  std::vector<std::string> events = {};       // CLIP:SECONDS=NAME
};
void addClipOptions(CLI::App& app, ClipOptions& options);

// The entries for all clips alone, for further rigs, whose clips have other names.
ClipOptions ofAllClips(const ClipOptions& options);

// Applies the options to the clips of a character. The clips of --clips come first, in that order,
// and are the only ones that stay ticked. An option for a clip that is not ticked is refused.
UsageResult<void> editClips(const ClipOptions& options, const Character& character,
                            std::vector<ProjectClip>& clips);

// The index in `clips` of a clip by its title, its name, its name in the file, or by #INDEX counted
// from 0. Fails with "there is no clip 'Run'; the file has 'Walk', 'Idle'".
UsageResult<std::size_t> findClip(const Character& character, std::span<const ProjectClip> clips,
                                  const std::string& text);

}  // namespace ck::cli
