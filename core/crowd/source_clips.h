#pragma once

#include <deque>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"

namespace ck::render {

// A time in a clip of the file.
struct SourceMoment {
  const Clip* clip = nullptr;  // null if the source has no clip of that name
  double seconds = 0.0;        // on the file's timeline
  // Interpolation from this pose to the clip's first pose, in [0, 1]: the closing step that the
  // bake adds after the last key of an exclusive loop (Seam::Exclusive). Step tracks jump at 1.
  double closing = 0.0;
};

// The file's clips that a crowd plays, with the clip edits of the bake. The character must outlive
// it. `atlas` may be null; clips are then unedited.
class SourceClips {
 public:
  SourceClips(const Character& character, const Atlas* atlas, const Crowd& crowd);
  // Moving keeps the addresses of the clips. A copy would contain pointers into the original.
  SourceClips(SourceClips&&) = default;
  SourceClips& operator=(SourceClips&&) = default;

  SourceMoment momentOf(int crowdClip, double unit) const;
  // Null if the source has no clip of that name.
  const Clip* clip(int crowdClip) const { return clips_[static_cast<std::size_t>(crowdClip)]; }
  std::size_t size() const { return clips_.size(); }

 private:
  std::vector<double> windows_;     // seconds, one per clip of the crowd
  std::deque<Clip> shaped_;         // clips with a clip edit
  std::vector<const Clip*> clips_;  // one per clip of the crowd
};

// Local transforms of all joints at a time; the rest pose if there is no clip.
std::vector<Trs> localsAt(const Rig& rig, const SourceMoment& moment);

// Blends the pose of one clip towards another's in each joint's local space, rotations by
// normalised lerp along the shorter arc. This defines a fade for all methods. `mask`, if not empty,
// has one factor of `blend` per joint.
void fadeLocals(std::vector<Trs>& locals, const std::vector<Trs>& others, double blend,
                std::span<const float> mask = {});

}  // namespace ck::render
