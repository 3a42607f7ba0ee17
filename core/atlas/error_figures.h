#pragma once

#include <string>

namespace ck {

// How far away and how large characters are drawn.
struct ScreenView {
  double distanceMeters = 5.0;               // from the camera to a vertex; > 0
  double imageHeightPixels = 1080.0;         // > 0
  double verticalFieldOfViewDegrees = 40.0;  // in (0, 180)
  bool operator==(const ScreenView&) const = default;
};

// The ranges in which settings, options and files accept a view.
inline constexpr double kNearestView = 0.01;  // metres
inline constexpr double kFarthestView = 1e6;
inline constexpr double kTallestView = 1e6;    // pixels; at least 1
inline constexpr double kNarrowestView = 0.1;  // degrees
inline constexpr double kWidestView = 179.0;

// The pixels that a metre across the view covers at the view's distance.
double pixelsPerMeter(const ScreenView& view);

// The distance from a joint at which the shell's error is measured, in the posed model.
inline constexpr double kShellMeters = 0.03;

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
  bool operator==(const ErrorFigure&) const = default;
};

// The error of one reading.
struct ErrorFigures {
  // Millimetres, kShellMeters from the joint along its axes, over all joints with weights. It
  // describes the atlas whatever the mesh is.
  ErrorFigure shell;
  // Millimetres at the vertices: all influences and morphs in the source; influences, morph slots
  // and bytes as drawn. `max` is that of all vertices, `p99` and `rms` of up to 128 spread evenly.
  ErrorFigure vertices;
  // The figure of vertices in pixels of BakeError::view, as seen from the side that shows most.
  ErrorFigure screen;
  double maxDegrees = 0.0;  // largest angle between a joint's rotations
  bool operator==(const ErrorFigures&) const = default;
};

// The error of a decoded atlas against its source.
struct BakeError {
  ErrorFigures palette;  // each joint interpolated relative to its parent ("error")
  ErrorFigures direct;   // each joint interpolated by itself ("errorDirect")
  ScreenView view = {};  // that the figures of the screen are for
  bool operator==(const BakeError&) const = default;
};

// The largest errors that are accepted, each for ErrorFigure::max of one reading. 0: no limit.
struct ErrorLimits {
  double vertexMm = 0.0;
  double shellMm = 0.0;
  double pixels = 0.0;
  bool operator==(const ErrorLimits&) const = default;
};

// The same error with the figures of the screen for another view.
BakeError seenFrom(BakeError error, const ScreenView& view);

}  // namespace ck
