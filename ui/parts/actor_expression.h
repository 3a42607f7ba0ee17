#pragma once

#include <QString>
#include <cstdint>
#include <functional>

#include "core/base/result.h"

namespace ck::ui {

// The input of an expression for one selected actor: `value` is the actor's number, `index` its
// position in the selection of `count`, `actor` its index in the project.
struct ActorValue {
  double value = 0.0;
  std::size_t index = 0;
  std::size_t count = 1;
  std::size_t actor = 0;
};
using ActorFormula = std::function<double(const ActorValue&)>;

// Parses "1.5", "2*3", "R(0,1)" (random in a range; the same for the same seed, stream and actor),
// and "L(0,1)" (a ramp over the selection). A prefix += -= *= /= or a leading * or / changes the
// current value. The arithmetic is that of ui/parts/expression.h. Fails with InvalidInput and a
// sentence.
Result<ActorFormula> readExpression(const QString& text, std::uint64_t seed, int stream = 77);

}  // namespace ck::ui
