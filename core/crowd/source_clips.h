#pragma once

#include <deque>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/crowd/crowd.h"

namespace ck::render {

// A moment of a clip of the file.
struct SourceMoment {
  const Clip* clip = nullptr;  // null where the source has none of that name
  double seconds = 0.0;        // on the file's timeline
  // How far from there to the clip's first pose, in [0, 1]: past the last key, where the bake has
  // closed a loop (Seam::Exclusive), the joints move on to the first key pose.
  double closing = 0.0;
};

// The file's clips that a crowd plays, in the shape that was baked. The character must outlive it;
// `atlas` may be null, then clips are taken as they are.
class SourceClips {
 public:
  SourceClips(const Character& character, const Atlas* atlas, const Crowd& crowd);
  // Moving keeps the clips where they are; copying would point into the other's.
  SourceClips(SourceClips&&) = default;
  SourceClips& operator=(SourceClips&&) = default;

  SourceMoment momentOf(int crowdClip, double unit) const;
  // Null where the source has no clip of that name.
  const Clip* clip(int crowdClip) const { return clips_[static_cast<std::size_t>(crowdClip)]; }
  std::size_t size() const { return clips_.size(); }

 private:
  std::vector<double> windows_;     // seconds, one per clip of the crowd
  std::deque<Clip> shaped_;         // those that were baked in a shape of their own
  std::vector<const Clip*> clips_;  // one per clip of the crowd
};

// Local transforms of all joints at a moment; at rest where there is no clip.
std::vector<Trs> localsAt(const Rig& rig, const SourceMoment& moment);

// `blend` of the way from one clip's pose to another's, in the joints' own spaces: rotations by
// normalised lerp along the shorter arc, which is what a fade means in every method and in most
// engines. `mask`, where it is not empty, has a factor of `blend` for every joint.
void fadeLocals(std::vector<Trs>& locals, const std::vector<Trs>& others, double blend,
                std::span<const float> mask = {});

}  // namespace ck::render
