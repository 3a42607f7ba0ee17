#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "core/anim/loop_figures.h"
#include "core/bake/pose/shell.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// How a clip closes (docs/techniques.md 1.3), and which mesh, or joint where that has no vertices,
// is farthest from it.
struct ClipSeam {
  LoopFigures figures;
  std::string where;
};

// How a clip moves the figure, measured on its key poses.
struct ClipMeasures {
  std::size_t keys = 0;             // key times
  std::vector<double> moments;      // the key times that were posed: all, or 2,000 that lie evenly
  std::vector<double> fromStartMm;  // shell distance of each moment's pose to the first
  double meanStepMm = 0.0;          // between neighbouring moments
  double lastStepMm = 0.0;
  // Largest shell distance of any moment. Morph weights count as 1,000 mm each.
  double fromFirstMm = 0.0;  // to the pose of the first moment
  double fromRestMm = 0.0;   // to the pose at rest
  double fromBindMm = 0.0;   // to the mesh as it was bound, wherever that stands
  // The joint that carries the clip and at least half of the figure, -1 if none does, and how far
  // away it ends: model space, metres.
  int root = -1;
  glm::dvec3 drift{0.0};
  bool drifts = false;  // whether that is more than driftLimit() sideways or upwards
  ClipSeam seam;
  ClipSeam seamInPlace;  // where the root is held in its place; of clips that drift
  // The moment in the clip's last third whose pose comes nearest to the first, and how the clip
  // would close there. 0: it has too few moments.
  std::size_t nearestEnd = 0;
  ClipSeam nearestSeam;
  // Largest shell distance of any moment to the first, where the root is held in its place.
  double aroundRootMm = 0.0;
  // The moments between which anything moves; the same if nothing does.
  double motionFrom = 0.0;
  double motionTo = 0.0;
  // Where two points of each joint are at kLookMoments moments, spread over the clip, and all morph
  // weights there, which count as 1,000 mm each.
  std::vector<glm::vec3> look;
  // How far the soles go below the ground, and when; 0 if they do not. Of a figure whose bind pose
  // does not stand on the ground they are not measured.
  double belowGroundMm = 0.0;
  double belowGroundSeconds = 0.0;
};

inline constexpr std::size_t kLookMoments = 5;

// Whether two clips of one character look alike: their lengths are the same, and what
// ClipMeasures::look has is nowhere further apart than so many millimetres.
bool looksAlike(const ClipMeasures& a, const ClipMeasures& b, double mostMm);

// The smallest drift that is seen: 1 cm, or 1 % of the figure's height if that is more.
double driftLimit(const Character& character);

// The points to measure at: around the skin joints, or around all joints of a rig without a skin.
Shell measuringShell(const Character& character);

// A clip without keys is not measured. `shell` is the character's measuringShell(). The result is
// of no use if the job is stopped.
ClipMeasures measureClip(const Character& character, const Clip& clip, const Shell& shell,
                         const JobContext& job);

// The scale keys of a clip.
struct ScaleKeys {
  int joints = 0;             // that have any which differ from the scale at rest by float noise
  double largestShare = 0.0;  // by which a key differs from the rest, 0.01 for 1 %
};
ScaleKeys scaleKeysOf(const Rig& rig, const Clip& clip);

// A joint that turns far within a frame and ends nearly as it began: Euler angles that jump by a
// whole turn, read by a program that goes through all angles between.
struct RotationFlip {
  int joint = -1;  // -1: none
  double degrees = 0.0;
  double seconds = 0.0;  // when it begins
  double lengthSeconds = 0.0;
};
// The largest one of a clip.
RotationFlip rotationFlipOf(const Clip& clip);

// Keys of a track that follow another one within a tenth of the track's usual step, and differ from
// it by no more than such a moment explains: noise of resampling, and no jump.
struct NearKeys {
  int count = 0;
  double largestGapSeconds = 0.0;
  double usualStepSeconds = 0.0;  // of the track with the largest gap
};
NearKeys nearKeysOf(const Clip& clip);

}  // namespace ck
