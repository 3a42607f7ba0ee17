#pragma once

#include "core/base/result.h"
#include "core/scene/clip.h"

namespace ck::worker {

// What had to be done to the keys of a track, or of several.
struct KeyRepairs {
  int droppedKeys = 0;    // time or value not finite, or a second key at one time
  int sortedTracks = 0;   // keys were out of order
  int zeroRotations = 0;  // quaternions of no length became identity
  bool tooLong = false;   // keys reach beyond a day: no timeline that makes sense
};

// Brings a track into the form that Track promises: times finite, strictly increasing; values
// finite; rotations of unit length (cubic tangents are scaled with their value). A track may end
// empty. `values` must have the number of entries that the interpolation asks for.
void repairTrack(Track<glm::vec3>& track, KeyRepairs& repairs);
void repairTrack(Track<glm::quat>& track, KeyRepairs& repairs);
void repairTrack(Track<float>& track, KeyRepairs& repairs);

// Notes of what was done in the clip of that name.
void noteRepairs(const KeyRepairs& repairs, const std::string& clipName, Notes& notes);

}  // namespace ck::worker
