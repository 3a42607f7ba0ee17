#include "ui/document/clip_selection.h"

#include <algorithm>
#include <utility>

namespace ck::ui {

void ClipSelection::set(std::vector<int> clips) {
  std::sort(clips.begin(), clips.end());
  clips.erase(std::unique(clips.begin(), clips.end()), clips.end());
  if (clips == clips_) return;
  clips_ = std::move(clips);
  emit changed();
}

}  // namespace ck::ui
