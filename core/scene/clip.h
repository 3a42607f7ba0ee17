#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ck {

// Interpolation between two keys, as the file specifies it (glTF 2.0, appendix C).
enum class Interpolation {
  Step,    // hold the earlier key
  Linear,  // lerp; slerp for rotations
  Cubic,   // Hermite spline with the in- and out-tangents of the keys
};

// The keys of one property. The first value holds before the first key, the last value after the
// last key.
template <class Value>
struct Track {
  Interpolation interpolation = Interpolation::Linear;
  std::vector<double> times;  // seconds on the file's own timeline, strictly increasing
  // One value per key. Cubic tracks have three per key: in-tangent, value, out-tangent (tangents
  // per second).
  std::vector<Value> values;
  bool empty() const { return times.empty(); }
  bool operator==(const Track&) const = default;
};

// How a clip moves one joint. With an empty track that property keeps the joint's rest value.
struct JointTracks {
  int joint = 0;  // into Rig::joints; at most one entry per joint in a clip
  Track<glm::vec3> translation;
  Track<glm::quat> rotation;  // values are unit quaternions; tangents are as in the file
  Track<glm::vec3> scale;
  bool operator==(const JointTracks&) const = default;
};

// The weight of one morph target over time.
struct MorphTrack {
  int mesh = 0;    // into Character::meshes
  int target = 0;  // into Mesh::morphTargets
  Track<float> weight;
  bool operator==(const MorphTrack&) const = default;
};

// A named moment of a clip, e.g. a foot strike.
struct ClipEvent {
  std::string name;
  double seconds = 0.0;  // on the file's timeline, so trimming does not move it
  bool operator==(const ClipEvent&) const = default;
};

// One animation clip. It covers [startSeconds, startSeconds + durationSeconds] of the file's
// timeline, from its first to its last key. This window is what a bake samples.
struct Clip {
  std::string name;  // unique in the character
  double startSeconds = 0.0;
  double durationSeconds = 0.0;  // 0 if the clip has one key
  std::vector<JointTracks> jointTracks;
  std::vector<MorphTrack> morphTracks;
  // Speed of the ground under an in-place cycle, along +Z; 0 where unknown.
  double groundSpeedMetersPerSecond = 0.0;
  std::vector<ClipEvent> events = {};  // marked in the file (docs/cli.md), in file order
  // The name in the file, if that says nothing or has a prefix (core/import/clip_names.h); else
  // empty. Projects and atlases of earlier versions know the clip by this name.
  std::string nameInFile = {};
  bool operator==(const Clip&) const = default;
};

// All key times of a clip's tracks, ascending and distinct (times within 1e-9 s count as equal).
std::vector<double> keyTimes(const Clip& clip);

// Whether two tracks have the same key times to the bit. Faster than ==.
bool sameTimes(const std::vector<double>& a, const std::vector<double>& b);

// How far a key time may be off, because files keep it as a float.
double keyRoundingSeconds(double seconds);

// Whether any track with more than one key is a Step track.
bool hasSteps(const Clip& clip);

// A uniform grid of key times: startSeconds + i * stepSeconds, i = 0 .. keyCount - 1.
struct KeyGrid {
  double stepSeconds = 0.0;
  int keyCount = 0;
};

// The grid of the clip's keys, if every key lies within 1e-3 steps of it (docs/techniques.md 1.5).
// Some grid points may have no key. Nothing for fewer than two keys or for irregular keys.
std::optional<KeyGrid> keyGrid(const Clip& clip);

}  // namespace ck
