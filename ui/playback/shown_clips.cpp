#include "ui/playback/shown_clips.h"

#include <algorithm>
#include <utility>

#include "core/project/characters.h"

namespace ck::ui {

int ShownClips::clipOf(int character) const {
  return std::size_t(character) < all_.size() ? all_[std::size_t(character)].clip : 0;
}

void ShownClips::setSolo(int clip) {
  solo_.clip = clip;
  if (clip < 0) return;
  solo_.character = character_;
  setClip(clip);
}

// The number of a character in `now`; -1 if it is gone.
int ShownClips::placeIn(const std::vector<Shown>& now, int character) const {
  if (character <= 0) return character;
  const auto index = std::size_t(character);
  if (index >= all_.size()) return -1;
  const Shown& shown = all_[index];
  const auto same = [&shown](const Shown& one) {
    return one.title == shown.title && one.source == shown.source;
  };
  const auto at = std::ranges::find_if(now, same);
  if (at != now.end()) return int(at - now.begin());
  // Among as many characters it has got another title, or its file another place.
  const bool kept = now.size() == all_.size() &&
                    (now[index].title == shown.title || now[index].source == shown.source);
  return kept ? character : -1;
}

bool ShownClips::follow(const Project& project) {
  std::vector<Shown> now;
  for (int c = 0; c < characterCount(project); ++c) {
    const std::vector<SourceFile>& sources = baseCharacter(project, c).sources;
    now.push_back({characterTitle(project, c), sources.empty() ? "" : sources.front().path});
  }
  for (int c = 0; c < int(all_.size()); ++c) {
    const int place = placeIn(now, c);
    if (place >= 0) now[std::size_t(place)].clip = clipOf(c);
  }
  for (int c = 0; c < int(now.size()); ++c) {
    const int last = std::max(0, int(clipsOf(project, c).size()) - 1);
    now[std::size_t(c)].clip = std::clamp(now[std::size_t(c)].clip, 0, last);
  }
  solo_.character = placeIn(now, solo_.character);
  const int shown = std::max(0, placeIn(now, character_));
  all_ = std::move(now);
  return std::exchange(character_, shown) != shown;
}

bool ShownClips::isSoloGone(const Project& project) const {
  if (solo_.clip < 0) return false;
  return solo_.character < 0 || solo_.clip >= int(clipsOf(project, solo_.character).size()) ||
         !shareRig(project, solo_.character, character_);
}

}  // namespace ck::ui
