#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ck {

// How values between two keys are found, as the file says (glTF 2.0, appendix C).
enum class Interpolation {
  Step,    // hold the earlier key
  Linear,  // lerp; slerp for rotations
  Cubic,   // Hermite spline with the in- and out-tangents of the keys
};

// Keys of one property. Before the first key the first value holds, after the last the last one.
template <class Value>
struct Track {
  Interpolation interpolation = Interpolation::Linear;
  std::vector<double> times;  // seconds on the file's own timeline, strictly increasing
  // One value per key; for Cubic three: in-tangent, value, out-tangent (tangents per second).
  std::vector<Value> values;
  bool empty() const { return times.empty(); }
  bool operator==(const Track&) const = default;
};

// What a clip does to one joint; an empty track leaves that part at the joint's rest.
struct JointTracks {
  int joint = 0;  // into Rig::joints; at most one entry per joint in a clip
  Track<glm::vec3> translation;
  Track<glm::quat> rotation;  // unit quaternions (values; tangents are what the file has)
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

// A name at a moment of a clip: a foot strikes, a hand lets go.
struct ClipEvent {
  std::string name;
  double seconds = 0.0;  // on the file's own timeline, so that a trim leaves it where it belongs
  bool operator==(const ClipEvent&) const = default;
};

// A named piece of motion. It covers [startSeconds, startSeconds + durationSeconds] of the file's
// timeline, from its first to its last key, and that window is what is baked.
struct Clip {
  std::string name;  // unique in the character
  double startSeconds = 0.0;
  double durationSeconds = 0.0;  // 0 for a clip of one key
  std::vector<JointTracks> jointTracks;
  std::vector<MorphTrack> morphTracks;
  // How fast the ground passes under an in-place cycle, along +Z; 0 where unknown.
  double groundSpeedMetersPerSecond = 0.0;
  std::vector<ClipEvent> events = {};  // that the file marks (docs/cli.md), in its order
  bool operator==(const Clip&) const = default;
};

// All key times of a clip's tracks, ascending, without doubles (times within 1e-9 s are one).
std::vector<double> keyTimes(const Clip& clip);

// The even grid that the keys lie on: times startSeconds + i * stepSeconds, i = 0 .. keyCount - 1.
struct KeyGrid {
  double stepSeconds = 0.0;
  int keyCount = 0;
};

// The grid of the clip's keys where they have one: every key within 1e-3 steps of it (TECHNIQUES
// 1.2), keys may be missing. Nothing for fewer than two keys or uneven ones.
std::optional<KeyGrid> keyGrid(const Clip& clip);

}  // namespace ck
