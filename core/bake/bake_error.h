#pragma once

#include <optional>
#include <string>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// How far away and how large characters are drawn.
struct ScreenView {
  double distanceMeters = 5.0;               // from the camera to a vertex; > 0
  double imageHeightPixels = 1080.0;         // > 0
  double verticalFieldOfViewDegrees = 40.0;  // in (0, 180)
};

// The pixels that a metre across the view covers at the view's distance.
double pixelsPerMeter(const ScreenView& view);

// What is drawn from an atlas. The defaults are what the atlas states. Both readings are always
// measured.
struct DrawnAs {
  std::optional<int> influences = {};    // of a vertex: 1, 2, 4 or 8; unset: Atlas::influences
  std::optional<bool> interpolate = {};  // between frames; false: the nearest frame
  // The direct reading only: the texture unit interpolates, so fractions between frames have 8
  // bits. Every moment counts as if its fraction was rounded by the most, half a step.
  bool hardwareLinear = false;
  bool morphs = true;  // false: morphs keep their default weights
  ScreenView screen = {};
};

// One measure of the error over all clips (docs/techniques.md 3.4 to 3.6). The maximum is that over
// all moments, found to within 3 %. The others describe time: each moment counts as long as it
// lasts.
struct ErrorFigure {
  double max = 0.0;
  double p99 = 0.0;  // 99 % of the time of all joints, or vertices, are at most this far off
  double rms = 0.0;  // root mean square
  // Where the maximum is. Empty and -1 if there is nothing to measure.
  std::string worstClip;
  std::string worstJoint;         // at vertices: the joint with the largest weight
  std::string worstMesh;          // at vertices and on the screen only
  int worstVertex = -1;           // in that mesh, in the file's order
  double worstTimeSeconds = 0.0;  // on the file's timeline
};

// The error of one reading.
struct ErrorFigures {
  // Millimetres, 3 cm from the joint along its axes, over all joints with weights. It describes the
  // atlas whatever the mesh is.
  ErrorFigure shell;
  // Millimetres at the vertices: all influences and morphs in the source; influences, morph slots
  // and bytes as drawn. `max` is that of all vertices, `p99` and `rms` of up to 128 spread evenly.
  ErrorFigure vertices;
  // The figure of vertices in pixels of DrawnAs::screen, as seen from the side that shows most.
  ErrorFigure screen;
  double maxDegrees = 0.0;  // largest angle between a joint's rotations

  // `shell` by the names of sidecars, and `vertices.max`.
  double maxMm = 0.0;
  double p99Mm = 0.0;
  double rmsMm = 0.0;
  double vertexMaxMm = 0.0;
  std::string worstClip;
  std::string worstJoint;
  double worstTimeSeconds = 0.0;
};

// The error of the decoded atlas against the source.
struct BakeError {
  ErrorFigures palette;  // each joint interpolated relative to its parent ("error")
  ErrorFigures direct;   // each joint interpolated by itself ("errorDirect")
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

}  // namespace ck
