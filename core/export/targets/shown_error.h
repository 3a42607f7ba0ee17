#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// The pose of a player at one moment: skin matrices with morph weights, or the vertices themselves.
struct ShownPose {
  std::vector<glm::dmat4>
      skinMatrices;                   // one per joint of the atlas; not read if `positions` has any
  std::vector<float> morphWeights;    // one per morph of the MorphSet; empty: the default weights
  std::vector<glm::dvec3> positions;  // of all vertices, mesh after mesh, in the file's order
};

// The formula by which a player draws the clips of an atlas. `seconds` is the time since the clip
// began, at rate 1, in [0, cycleSeconds()]. The functions are called from several threads.
struct ShownBy {
  int influences = 4;  // of a vertex under `skinMatrices`: the heaviest, renormalised
  // Where the drawing jumps or bends, in seconds and ascending. Corners of the clip itself are
  // found without it.
  std::function<std::vector<double>(int clip)> corners;
  std::function<void(int clip, double seconds, ShownPose& pose)> poseAt;
};

// The seconds after which a clip is where it began: twice its duration if it goes there and back.
double cycleSeconds(const AtlasClip& clip);

// The share of the clip, in [0, 1], that belongs to `seconds` of its cycle. 0 for a clip without
// length.
double unitAt(const AtlasClip& clip, double seconds);

// How far the drawn vertices are from those of the character's clips, in millimetres: the largest
// distance of all vertices at any moment (to within 3 %), p99 and rms of up to 128 vertices over
// time. The clips have all influences and morphs. Moments lie between keys and corners as well as
// on both sides of each, so it does not matter where a player's frames are. Fails with InvalidInput
// if the atlas was not baked from the character or a vertex is drawn at a place that is no number,
// and with Cancelled.
Result<ErrorFigure> shownError(const Character& character, const Atlas& atlas,
                               const ShownBy& player, const JobContext& job);

// The largest distance between a vertex in two drawings, in millimetres.
class PoseDistance {
 public:
  // The character must outlive it. `influences` as in ShownBy.
  PoseDistance(const Character& character, int influences, const JobContext& job);
  ~PoseDistance();
  PoseDistance(const PoseDistance&) = delete;
  PoseDistance& operator=(const PoseDistance&) = delete;

  // `morphsA` and `morphsB`: one per morph of the MorphSet.
  double mm(const std::vector<glm::dmat4>& skinsA, const std::vector<float>& morphsA,
            const std::vector<glm::dmat4>& skinsB, const std::vector<float>& morphsB);
  // Both with the default weights of morphs.
  double mm(const std::vector<glm::dmat4>& skinsA, const std::vector<glm::dmat4>& skinsB);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// How far vertices are off at most, in millimetres, if morphs keep their default weights in the
// baked clips; 0 without morphs.
double morphLossMm(const Character& character, const Atlas& atlas);

}  // namespace ck
