#pragma once

#include <QString>
#include <cstdint>
#include <functional>

#include "core/base/result.h"

namespace ck::ui {

// How a typed expression changes a number of each selected actor. `value` is what the actor has,
// `index` its place in the selection of `count`, `actor` its number in the project.
struct ActorValue {
  double value = 0.0;
  std::size_t index = 0;
  std::size_t count = 1;
  std::size_t actor = 0;
};
using ActorFormula = std::function<double(const ActorValue&)>;

// Reads "1.5", "2*3", "R(0,1)" (random between; the same for the same seed, stream and actor),
// "L(0,1)" (ramp over the selection), and with one of += -= *= /= or a leading * or / in front, a
// change of what is there. Fails with InvalidInput and a sentence.
Result<ActorFormula> readExpression(const QString& text, std::uint64_t seed, int stream = 77);

}  // namespace ck::ui
