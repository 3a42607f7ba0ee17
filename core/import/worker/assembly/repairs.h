#pragma once

#include <string>

#include "core/base/result.h"
#include "core/scene/clip.h"
#include "core/scene/mesh.h"

namespace ck::worker {

// Counts of the repairs made to one or more tracks.
struct KeyRepairs {
  int droppedKeys = 0;    // keys with a non-finite time or value
  int sortedTracks = 0;   // tracks whose keys were not in order
  int zeroRotations = 0;  // quaternions of length 0, replaced by identity
  bool tooLong = false;   // keys beyond kLongestClipSeconds; the caller drops the clip
};

// Repairs a track so that it meets the rules of Track: finite, strictly increasing times, finite
// values, unit quaternions (cubic tangents are scaled with their value). The result may be empty.
// `values` must have the size that the interpolation requires.
void repairTrack(Track<glm::vec3>& track, KeyRepairs& repairs);
void repairTrack(Track<glm::quat>& track, KeyRepairs& repairs);
void repairTrack(Track<float>& track, KeyRepairs& repairs);

// Adds notes about the repairs of the named clip.
void noteRepairs(const KeyRepairs& repairs, const std::string& clipName, Notes& notes);

// Counts of the repairs made to the weights of a mesh.
struct WeightRepairs {
  int badWeights = 0;      // influences that were not finite or were negative
  int badJoints = 0;       // influences with an invalid joint index
  int normalised = 0;      // vertices whose weights did not sum to 1 (tolerance 1 %)
  int withoutWeights = 0;  // vertices without any valid influence
};

// Converts raw influences to the form that Mesh requires. Drops weights that are not finite or not
// positive, and joints outside [0, jointCount). Merges duplicates, sorts by weight and normalises
// to sum 1. A vertex without influences gets `fallbackJoint` with weight 1; that joint may be
// outside the range.
WeightRepairs repairWeights(Mesh& mesh, int jointCount, int fallbackJoint);

// Adds one note per kind of repair.
void noteRepairs(const WeightRepairs& repairs, const std::string& meshName, Notes& notes);

}  // namespace ck::worker
