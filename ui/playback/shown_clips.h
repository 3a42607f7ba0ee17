#pragma once

#include <string>
#include <vector>

#include "core/project/project.h"

namespace ck::ui {

// A clip that all actors with a character's rig play instead of their own; -1 for none.
struct SoloClip {
  int clip = -1;
  int character = 0;  // -1 if it was removed
};

// Which character's clips the panels show, which clip of each character, and which clip plays
// alone. Numbers stay with their characters when others are removed or come back.
class ShownClips {
 public:
  explicit ShownClips(const Project& project) { follow(project); }

  int character() const { return character_; }
  int clipOf(int character) const;
  const SoloClip& solo() const { return solo_; }

  // The numbers must be those of the project that was followed last.
  void setCharacter(int character) { character_ = character; }
  void setClip(int clip) { all_[std::size_t(character_)].clip = clip; }
  // Shows the clip of the shown character, and lets it play alone; -1 for none.
  void setSolo(int clip);

  // Adapts to a change of the project. Returns whether character() has another number. If the
  // shown character is gone, the first is shown.
  bool follow(const Project& project);
  // Whether the clip that plays alone is gone, or of another rig than the shown character's.
  bool isSoloGone(const Project& project) const;

 private:
  struct Shown {
    std::string title;
    std::string source;  // the path of the first one
    int clip = 0;
  };
  int placeIn(const std::vector<Shown>& now, int character) const;

  std::vector<Shown> all_;  // one per character
  int character_ = 0;
  SoloClip solo_;
};

}  // namespace ck::ui
