#pragma once

#include <optional>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// How an atlas is drawn. The defaults are what the atlas states. Both readings are always measured.
struct DrawnAs {
  std::optional<int> influences = {};    // of a vertex: 1, 2, 4 or 8; unset: Atlas::influences
  std::optional<bool> interpolate = {};  // between frames; false: the nearest frame
  // The direct reading only: the texture unit interpolates, so fractions between frames have 8
  // bits. Every moment counts as if its fraction was rounded by the most, half a step.
  bool hardwareLinear = false;
  bool morphs = true;  // false: morphs keep their default weights
  ScreenView screen = {};
  bool operator==(const DrawnAs&) const = default;
};

// Measures both readings on decoded texels, where they are worst: between keys and frames as well
// as on them. Clips are matched by name, joints by index. Fails with InvalidInput if they do not
// match, if `drawn` is out of range, or if a pose is not finite, with its clip, joint and time; and
// with Cancelled.
Result<BakeError> measureBakeError(const Character& character, const Atlas& atlas,
                                   const DrawnAs& drawn, JobContext job = {});

// As above, drawn as the atlas states.
Result<BakeError> measureBakeError(const Character& character, const Atlas& atlas,
                                   JobContext job = {});

// The vertex of one moment that is farthest from the source.
struct ErrorMoment {
  double unit = 0.0;     // the position in the baked clip, in [0, 1], as Crowd::unitOf()
  double seconds = 0.0;  // on the file's timeline
  double mm = 0.0;
  // Where it is; -1 if the character has no vertices.
  int joint = -1;   // the skin joint with the largest weight
  int mesh = -1;    // into Character::meshes
  int vertex = -1;  // in that mesh, in the file's order
  bool operator==(const ErrorMoment&) const = default;
};

// The error of a clip over time, by reading; moments ascend.
struct ErrorCurve {
  std::vector<ErrorMoment> palette;
  std::vector<ErrorMoment> direct;
};

// The error of one baked clip at its keys and stored frames and at four moments between each two of
// them, measured as by measureBakeError(). Fails as that does, and with InvalidInput if the atlas
// has no clip `atlasClip`.
Result<ErrorCurve> errorOverTime(const Character& character, const Atlas& atlas, int atlasClip,
                                 const DrawnAs& drawn, JobContext job = {});

}  // namespace ck
