#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/anim/loop_figures.h"
#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

class LanePoser;

// How a clip closes, measured on its key poses at vertices (docs/techniques.md 1.3).
struct SeamVerdict {
  Seam seam = Seam::None;
  double seamMm = 0.0;  // how far a vertex is moved at most to close it
  double stepMm = 0.0;  // LoopFigures::stepMm
};

// How a clip with such figures closes, if closing may move a vertex by `limitMm`.
Seam classifySeam(const LoopFigures& figures, double limitMm);

// Whether a clip with so many key times is measured on all of its keys. Of a longer clip, 128 steps
// in windows from its start to its end give the mean distances, because that takes no poser.
constexpr bool posesAllKeys(std::size_t keyCount) {
  return keyCount <= 2048;
}

// The points and the limit with which the seams of all clips of a character are measured.
struct SeamMeasure {
  // `chosenMm`: BakeRecipe::seamMm. The character must outlive it.
  SeamMeasure(const Character& measured, std::optional<double> chosenMm);

  const Character& character;
  SeenFigure figure;
  double limitMm;
};

// `times` are keyTimes() of the clip. `poser` poses it without a closing step, if there is one
// already. The result is of no use if the job is stopped.
SeamVerdict measureSeam(const SeamMeasure& measure, const Clip& clip,
                        const std::vector<double>& times, const LanePoser* poser,
                        const JobContext& job = {});
// As above, for a single clip.
SeamVerdict measureSeam(const Character& character, const Clip& clip,
                        std::optional<double> chosenMm = {}, const JobContext& job = {});

}  // namespace ck
