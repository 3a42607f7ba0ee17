#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/anim/loop_gap.h"
#include "core/scene/character.h"

namespace ck {

// The points at which the motion of one joint shows: three vertices that follow it more than any
// other joint, far from one another, in bind space. A socket and the joints of a rig without
// vertices have points 3 cm from them.
struct SeenJoint {
  bool isSeen = false;  // whether it has points
  glm::dvec3 points[3] = {};
};

// The parts of a character that show how a clip closes.
struct SeenFigure {
  explicit SeenFigure(const Character& character);

  std::vector<SeenJoint> joints;  // one per skin joint; in a rig without a skin, one per joint
  std::vector<double> morphs;     // by mesh and target: how far weight 1 moves a vertex, in mm
  double reach = 0.0;             // of the vertex that is farthest from the origin, in bind space
};

// One moment of a clip.
struct FigurePose {
  std::vector<glm::dmat4> joints;  // skin matrices; in a rig without a skin, global matrices
  std::vector<float> weights;      // of all morph targets, mesh by mesh
};
FigurePose figurePoseAt(const Character& character, const Clip& clip, double seconds);
std::vector<float> morphWeightsAt(const Character& character, const Clip& clip, double seconds);

// The first two and the last two key poses of a clip. With two keys, each is there twice.
struct LoopEnds {
  FigurePose first;
  FigurePose second;
  FigurePose beforeLast;
  FigurePose last;
};

// Sums over steps between key poses, in millimetres.
class LoopSteps {
 public:
  explicit LoopSteps(const SeenFigure& figure)
      : joints(figure.joints.size()), morphs(figure.morphs.size()) {}

  void add(const SeenFigure& figure, const FigurePose& from, const FigurePose& to);

  std::vector<double> joints;  // one per SeenFigure::joints
  std::vector<double> morphs;
  double largest = 0.0;  // of the largest distance of any joint
  double largestMorph = 0.0;
  std::size_t jointSteps = 0;  // how many were added
  std::size_t morphSteps = 0;
};

// The largest distance between two poses at the points where joints show, in millimetres.
double seenDistanceMm(const SeenFigure& figure, const FigurePose& a, const FigurePose& b);

// The distance of the vertex that is farthest apart in two poses.
struct VertexGap {
  double mm = 0.0;
  int mesh = -1;   // of the vertex; -1: a joint without vertices
  int joint = -1;  // into FigurePose::joints; -1: a vertex
};
VertexGap vertexGap(const Character& character, const SeenFigure& figure, const FigurePose& a,
                    const FigurePose& b);

// The figures of a clip with so many keys, which are `stepSeconds` apart on average.
LoopFigures loopFigures(const Character& character, const SeenFigure& figure, const LoopEnds& ends,
                        const LoopSteps& steps, std::size_t keyCount, double stepSeconds);

// The figures of a clip from its poses, one after the other. The character and the figure must
// outlive it.
class LoopMeter {
 public:
  LoopMeter(const Character& character, const SeenFigure& figure)
      : character_(character), figure_(figure), steps_(figure) {}

  void add(const FigurePose& pose);

  // `times` are those of the poses, at least two. With `end`, the clip ends there with that pose.
  LoopFigures figures(std::span<const double> times, const FigurePose* end = nullptr) const;

 private:
  const Character& character_;
  const SeenFigure& figure_;
  LoopSteps steps_;
  LoopEnds ends_;
  std::size_t count_ = 0;
};

// The figures of a clip with all poses in double. It is the reference of measureSeam()
// (core/bake/seam.h).
LoopFigures loopFigures(const Character& character, const Clip& clip);

}  // namespace ck
