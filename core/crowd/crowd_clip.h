#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/anim/playback.h"
#include "core/atlas/atlas.h"

namespace ck {

// An event of a clip, at its position in the baked clip.
struct CrowdEvent {
  std::string name;
  double unit = 0.0;  // position in the clip, in [0, 1]
  bool operator==(const CrowdEvent&) const = default;
};

// The properties of a clip that a crowd needs.
struct CrowdClip {
  std::string name;    // as in Character::clips
  int atlasClip = -1;  // into Atlas::clips; -1: not baked, its actors show frame 0 of the atlas
  int firstFrame = 0;
  int frameCount = 2;                 // stored frames
  std::vector<int> stepFrames = {};   // as AtlasClip::stepFrames
  std::vector<int> keptMoments = {};  // as AtlasClip::keptMoments
  double durationSeconds = 0.0;
  LoopMode loop = LoopMode::Loop;
  double groundSpeedMetersPerSecond = 0.0;
  std::vector<RootPlace> rootMotion = {};  // as AtlasClip::rootMotion
  std::vector<CrowdEvent> events = {};     // crowdEvents() of core/stage/pipeline.h
  bool operator==(const CrowdClip&) const = default;

  // The first frame of the atlas that the clip's actors show.
  int firstShownFrame() const { return atlasClip >= 0 ? firstFrame : 0; }
  // The last moment of the clip (core/anim/playback.h) that has a next one; -1 if the clip's actors
  // stay at one frame.
  int lastInterval() const {
    return atlasClip >= 0 && frameCount >= 2 ? momentCount(frameGridOf(*this)) - 2 : -1;
  }
};

// Whether a crowd with these clips has a clip of that index.
inline bool hasClip(std::span<const CrowdClip> clips, int clip) {
  return clip >= 0 && static_cast<std::size_t>(clip) < clips.size();
}

// The clips of a crowd, for clip names as in Character::clips, with their positions in an atlas.
std::vector<CrowdClip> crowdClips(const Atlas& atlas, std::span<const std::string> clipNames);

// The clips of a crowd before a bake, for a renderer that shows the source. All clips loop.
std::vector<CrowdClip> sourceCrowdClips(const Character& character,
                                        std::span<const std::string> clipNames);

}  // namespace ck
