#include "ui/document/loaded_character.h"

namespace ck::ui {

const BakeWindow* LoadedCharacter::window(const ProjectClip& clip) const {
  for (std::size_t i = 0; i < figures.windows.size(); ++i) {
    if (figures.settings.clips[i].name != clip.name) continue;
    return figures.windows[i] ? &*figures.windows[i] : nullptr;
  }
  return nullptr;
}

std::size_t LoadedCharacter::bytes(const ProjectClip& clip) const {
  if (!figures.cost || !*figures.cost || !clip.ticked) return 0;
  for (const BakeCost::ClipCost& one : (*figures.cost)->clips) {
    if (one.sourceName == clip.name) return one.bytes;
  }
  return 0;
}

}  // namespace ck::ui
