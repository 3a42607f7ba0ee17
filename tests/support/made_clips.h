#pragma once

#include <QString>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/bake/bake_settings.h"
#include "core/error/bake_error.h"
#include "core/scene/character.h"

namespace ck::test {

enum class MadeKeys { Linear, Cubic, Step, Mixed };

// A chain of joints with a small skinned mesh, one clip, and how to bake it.
struct MadeClip {
  std::string title;  // what was drawn by lot, for messages
  Character character;
  BakeSettings settings;
};

// The same for the same seed on every machine: two to five joints, keys 1 to 1/24 s apart of every
// interpolation, tracks that begin together or not, clip edits, seams, every encoding; baked on the
// key grid, at 15, 24, 30 and 60 Hz, by a number of frames, or in tiles.
MadeClip madeClip(std::uint32_t seed);

// A chain of five joints of 0.3 m with keys every `stepSeconds` for about a second, cubic with
// random tangents. Joints turn by up to `turn` radians about each axis.
Character cubicChain(double stepSeconds, std::uint32_t seed, double turn = 0.5);

// Two morph targets on the first mesh, and cubic keys of their weights in the first clip.
void addMorphs(Character& character, std::uint32_t seed);

// The largest distance between a clip of the source and of its atlas at some moments, in
// millimetres. Found without core/bake.
struct SampledError {
  double shellMm = 0.0;   // at three points 3 cm from every joint
  double vertexMm = 0.0;  // all vertices: all influences in the source, the atlas's in the atlas
  double shellUnit = 0.0;
  double vertexUnit = 0.0;
};

// At `units` in [0, 1] of the baked clip.
SampledError sampledError(const Character& character, const Atlas& atlas, int clip, Reading reading,
                          std::span<const double> units);

// `count` random units.
std::vector<double> randomUnits(std::size_t count, std::uint32_t seed);

// Compares stated figures of an atlas with one clip with 1,000 random moments, and with the moment
// that they name. The stated maxima must be at least 0.97 of the sampled ones, and must be found at
// the stated time. Empty if that holds; else a sentence.
QString falseFigure(const Character& character, const Atlas& atlas, const BakeError& stated,
                    std::uint32_t seed);

// falseFigure() of madeClip(seed), baked and measured. Every second one has morphs.
QString falseFigureOfMade(std::uint32_t seed);

}  // namespace ck::test
