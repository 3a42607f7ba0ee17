#pragma once

#include <QString>
#include <cstdint>
#include <functional>
#include <glm/glm.hpp>

#include "core/base/result.h"

namespace ck::ui {

// The input of an expression for one selected actor: `value` is the actor's number, `index` its
// position in the selection of `count`, `actor` its index in the project.
struct ActorValue {
  double value = 0.0;
  std::size_t index = 0;
  std::size_t count = 1;
  std::size_t actor = 0;
  glm::dvec3 position{0.0};      // metres
  glm::dvec2 aroundCenter{0.0};  // x and z, from the middle of its crowd
  int group = -1;
  int crowd = 0;
};
using ActorFormula = std::function<double(const ActorValue&)>;

// Parses "1.5", "2*3", "-a/72", "R(0,1)" (random in a range; the same for the same seed, stream and
// actor), and "L(0,1)" (a ramp over the selection). A prefix += -= *= /= or a leading * or /
// changes the current value. Variables are x, y, z (the place in metres), r and a (radius in metres
// and angle in degrees from +z to +x about the middle of the crowd), i and n (number in the
// selection, and how many), g (group, -1 for none) and c (crowd); functions are noise(x,z) (from 0
// to 1, smooth over a metre), look(x,z) (degrees towards a place), floor, min, max, sin and cos of
// degrees, and if(x > 0, 1, 2). The arithmetic is that of ui/parts/expression.h. Fails with
// InvalidInput and a sentence.
Result<ActorFormula> readExpression(const QString& text, std::uint64_t seed, int stream = 77);

}  // namespace ck::ui
