#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"

namespace ck {

// Actors on the clipboard: the JSON text of core/project/actors/placement.h, which names
// characters, clips, masks and groups, so that it fits another project too.

// The actors of these indices, in their order.
std::string clipboardText(const Project& project, std::span<const int> actors);

// The pasted actors, and one sentence about references that the project lacks; empty if it has all.
struct Pasted {
  std::vector<int> actors;
  std::string remark;
};

// Adds the actors of a text by appendActors(). Characters, clips and masks are found by their
// names; groups that the project does not have are made. An actor whose character is not there is
// of the first one, one whose clip is not there plays the first, and a second clip or a mask that
// is not there is left out. Fails with InvalidInput if the text holds no actors, with a sentence
// that names what is wrong with it, and as appendActors(); the project is unchanged then.
Result<Pasted> pasteActors(Project& project, std::string_view text);

// Gives `actors` the settings of the actors of a text, in turn: clip, timing, fade, size, tint,
// walk and morphs, but neither place nor group nor character. An actor whose character does not
// have the clip keeps its own. Fails as pasteActors().
Result<Pasted> pasteSettings(Project& project, std::span<const int> actors, std::string_view text);

}  // namespace ck
