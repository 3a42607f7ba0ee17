#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/export/impostors.h"
#include "render/scene/welded_character.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Directions lie on rings about the vertical axis, 30 degrees apart, from the horizon to the pole.
// Rings were preferred to an octahedral map because nearly all eyes see a crowd from 0 to 40
// degrees above: at equal bytes the steps there are two thirds as long, and views straight from the
// front, side and back are exact.
inline constexpr int kImpostorRings = 4;
inline constexpr double kImpostorRingDegrees = 30.0;

// The directions of a ring with this number of directions on the horizon (a multiple of 2, at least
// 4): all of them at 0 and 30 degrees, half of them at 60, one at the pole. Ring by ring, each
// starting at +Z and turning towards +X.
std::vector<ImpostorDirection> impostorDirections(int onHorizon);
// The number of directions on a ring.
int directionsOnRing(int ring, int onHorizon);

// The choice of pictures that are made of a character. Every direction is a sheet, on which every
// moment has a cell. The first moment is in the lower left cell, then follow the columns of a row.
struct ImpostorPlan {
  std::vector<ImpostorMoment> moments;        // clip by clip
  std::vector<int> momentOfFrame;             // nearest moment of every frame of the atlas
  std::vector<ImpostorDirection> directions;  // impostorDirections()
  int onHorizon = 0;
  int cellWidth = 0;  // pixels, without smaller levels of detail
  int cellHeight = 0;
  int levels = 1;   // of detail; each is half as wide and high as the one before
  int columns = 0;  // cells
  int rows = 0;
  std::size_t bytes = 0;  // of all levels

  // Metres in the model per pixel of a usual picture at its largest level of detail.
  double metersPerPixel = 0.0;
  // How far off what an impostor shows is, in metres, between two directions and two moments: half
  // a pixel, plus the chord of half a step of direction at half the body's thickness
  // (far/picture.glsl takes the rest of the turn into account), plus how far joints move in half
  // the time between two moments (root mean square, of the clip that moves most).
  double errorMeters = 0.0;
};

// Chooses moments, directions and cells within the budget so that errorMeters is least; clips that
// move more get more moments. Only the vertices of `runs` count (empty: none). `mostCells` limits
// the work of drawing. Fails with LimitExceeded if the smallest pictures do not fit
// (and says which budget they need).
Result<ImpostorPlan> planImpostors(const Atlas& atlas, const WeldedCharacter& character,
                                   std::span<const IndexRun> runs, std::size_t budgetBytes,
                                   std::size_t mostCells);

}  // namespace ck::render
