#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

// A pose of which pictures are made: a stored frame, and the box of its vertices in model space,
// metres. It is measured by the vertices of each joint that reach farthest at bind time, so that of
// a large mesh a pixel or so may lie outside.
struct ImpostorMoment {
  int clip = 0;
  int frame = 0;  // numbered through the atlas
  glm::vec3 center{0.0f};
  glm::vec3 half{0.0f};  // > 0
  bool operator==(const ImpostorMoment&) const = default;
};

// A direction from which pictures are made, in model space; unit vectors. Seen from there `right`
// and `up` are the picture's axes.
struct ImpostorDirection {
  glm::vec3 right{1.0f, 0.0f, 0.0f};
  glm::vec3 up{0.0f, 1.0f, 0.0f};
  glm::vec3 towards{0.0f, 0.0f, 1.0f};  // the eye
  bool operator==(const ImpostorDirection&) const = default;
};

// The scale of a moment's picture: metres per pixel, so that its box fits a cell with one empty
// pixel on every side. shaders/far/on_screen.glsl has the same formula.
float impostorMetersPerPixel(const ImpostorMoment& moment, const ImpostorDirection& direction,
                             int cellWidth, int cellHeight);

// Directions of one height above the horizon, evenly spread from +Z towards +X.
struct ImpostorRing {
  double elevationDegrees = 0.0;
  int first = 0;  // into Impostors::directions
  int count = 0;
  bool operator==(const ImpostorRing&) const = default;
};
inline constexpr std::size_t kMostImpostorRings = 4;  // ckRings in shaders/far/on_screen.glsl

// Pictures of a character for actors that are far away, as they are exported: every clip of its
// atlas at some moments, from some directions. A picture is a cell of two layers, `color` and
// `form` (shaders/far/cell.glsl says what a pixel holds). docs/export.md describes all of it for
// readers.
struct Impostors {
  std::vector<std::string> clips;       // names, those of the atlas
  std::vector<ImpostorMoment> moments;  // clip by clip
  std::vector<int> momentOfFrame;       // nearest moment of every frame of the atlas
  std::vector<ImpostorRing> rings;      // from the horizon upwards
  std::vector<ImpostorDirection> directions;
  std::vector<float> depthPixels;  // of each direction: what depth 1 stands for
  int cellWidth = 0;               // pixels; powers of two
  int cellHeight = 0;
  // Cells in a row. The cell of a moment in a direction has the number direction * moments +
  // moment; number 0 is at the upper left, then follows the rest of the row.
  int columns = 0;
  double metersPerPixel = 0.0;  // of a usual picture
  // How far off what an impostor shows is, in metres, between two directions and two moments.
  double errorMeters = 0.0;
  Image color;  // no names; the top row first
  Image form;
  bool operator==(const Impostors&) const = default;
};

// The size of both layers in pixels, which follows from the rest.
int impostorWidth(const Impostors& impostors);
int impostorHeight(const Impostors& impostors);

// Whether all of it fits together, pixels aside. Fails with InvalidInput and what is wrong.
Result<void> checkImpostors(const Impostors& impostors);
// Whether they are pictures of the clips of this atlas. Fails with InvalidInput.
Result<void> checkImpostorsOf(const Impostors& impostors, const Atlas& atlas);

// Draws the pictures of a character for an export (render/impostor_export.h), because nothing
// here knows how to draw. Fails with NoGraphics, LimitExceeded, Internal and Cancelled.
using DrawImpostors = std::function<Result<Impostors>(const Character& character,
                                                      const Atlas& atlas, const JobContext& job)>;

}  // namespace ck
