#include "ui/parts/actor_expression.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "core/crowd/crowd_spawn.h"
#include "ui/parts/expression.h"

namespace ck::ui {
namespace {

// The operator with which a text begins that changes the current value: += -= *= /= or * or /.
// Removes it from the text.
std::optional<char> takeChange(std::string& text) {
  const std::size_t at = text.find_first_not_of(" \t");
  if (at == std::string::npos) return std::nullopt;
  const char op = text[at];
  const bool changes = op == '*' || op == '/';
  const bool assigns = (changes || op == '+' || op == '-') && text.substr(at + 1, 1) == "=";
  if (!changes && !assigns) return std::nullopt;
  text.erase(0, at + (assigns ? 2 : 1));
  return op;
}

double changed(char op, double left, double right) {
  switch (op) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    default:
      return right == 0.0 ? left : left / right;
  }
}

}  // namespace

Result<ActorFormula> readExpression(const QString& text, std::uint64_t seed, int stream) {
  std::string rest = text.toStdString();
  const std::optional<char> change = takeChange(rest);
  const auto expression = Expression::read(rest, {}, {"R", "r", "L", "l"});
  if (!expression) return tl::unexpected(expression.error());
  return ActorFormula([change, expression = *expression, seed, stream](const ActorValue& actor) {
    const double random = randomUnit(seed, actor.actor, std::uint64_t(stream));
    const double ramp = actor.count > 1 ? double(actor.index) / double(actor.count - 1) : 0.0;
    const double right = expression.value(std::array{random, random, ramp, ramp});
    return change ? changed(*change, actor.value, right) : right;
  });
}

}  // namespace ck::ui
