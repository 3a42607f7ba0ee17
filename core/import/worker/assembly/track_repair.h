#pragma once

#include "core/base/result.h"
#include "core/scene/clip.h"

namespace ck::worker {

// Counts of the repairs made to one or more tracks.
struct KeyRepairs {
  int droppedKeys = 0;   // keys with a non-finite time or value, or with the time of an earlier key
  int sortedTracks = 0;  // tracks whose keys were not in order
  int zeroRotations = 0;  // quaternions of length 0, replaced by identity
  bool tooLong = false;   // keys beyond 24 h; the caller drops the clip
};

// Repairs a track so that it meets the rules of Track: finite, strictly increasing times, finite
// values, unit quaternions (cubic tangents are scaled with their value). The result may be empty.
// `values` must have the size that the interpolation requires.
void repairTrack(Track<glm::vec3>& track, KeyRepairs& repairs);
void repairTrack(Track<glm::quat>& track, KeyRepairs& repairs);
void repairTrack(Track<float>& track, KeyRepairs& repairs);

// Adds notes about the repairs of the named clip.
void noteRepairs(const KeyRepairs& repairs, const std::string& clipName, Notes& notes);

}  // namespace ck::worker
