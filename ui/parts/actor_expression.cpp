#include "ui/parts/actor_expression.h"

#include <algorithm>
#include <array>
#include <cctype>
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

constexpr double kDegrees = 57.29577951308232;

// The places of variables in the list of their values; the seed has no name.
enum Variable : std::size_t { X, Y, Z, Radius, Angle, Index, Count, Group, Crowd, Seed };

double look(const double* values, double x, double z) {
  return std::atan2(x - values[X], z - values[Z]) * kDegrees;
}

// Random numbers at whole places, and smooth between them (Perlin's curve 6t^5 - 15t^4 + 10t^3).
double noise(const double* values, double x, double z) {
  constexpr double kFarthestPlace = 1e15;  // whole numbers beyond have no neighbours
  if (!(std::abs(x) < kFarthestPlace && std::abs(z) < kFarthestPlace)) return 0.0;
  const double left = std::floor(x);
  const double near = std::floor(z);
  const auto smooth = [](double t) { return t * t * t * (t * (t * 6.0 - 15.0) + 10.0); };
  const auto at = [&](double dx, double dz) {
    constexpr std::uint64_t kNoiseStream = 301;
    const auto column = static_cast<std::uint64_t>(static_cast<std::int64_t>(left + dx));
    const auto row = static_cast<std::uint64_t>(static_cast<std::int64_t>(near + dz));
    const auto seed = static_cast<std::uint64_t>(values[Seed]);
    return randomUnit(seed, column, kNoiseStream + row * 1000);
  };
  const double u = smooth(x - left);
  const double v = smooth(z - near);
  return std::lerp(std::lerp(at(0, 0), at(1, 0), u), std::lerp(at(0, 1), at(1, 1), u), v);
}

const ExpressionWords& actorWords() {
  static const ExpressionWords kWords = {
      .ranges = {"R", "L"},
      .variables = {"x", "y", "z", "r", "a", "i", "n", "g", "c", "_seed"},
      .functions =
          {{.name = "floor", .one = [](double a) { return std::floor(a); }},
           {.name = "sin", .one = [](double a) { return std::sin(a / kDegrees); }},
           {.name = "cos", .one = [](double a) { return std::cos(a / kDegrees); }},
           {.name = "min", .two = [](const double*, double a, double b) { return std::min(a, b); }},
           {.name = "max", .two = [](const double*, double a, double b) { return std::max(a, b); }},
           {.name = "noise", .two = noise},
           {.name = "look", .two = look},
           {.name = "if",
            .three = [](double is, double yes, double no) { return is != 0.0 ? yes : no; }}},
      .compares = true};
  return kWords;
}

// Small letters mean the functions as well where a bracket follows.
void takeSmallRanges(std::string& text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool isWord = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1]));
    if (isWord || text[i + 1] != '(') continue;
    if (text[i] == 'r') text[i] = 'R';
    if (text[i] == 'l') text[i] = 'L';
  }
}

}  // namespace

Result<ActorFormula> readExpression(const QString& text, std::uint64_t seed, int stream) {
  std::string rest = text.toStdString();
  const std::optional<char> change = takeChange(rest);
  takeSmallRanges(rest);
  const auto expression = Expression::read(rest, {}, actorWords());
  if (!expression) return tl::unexpected(expression.error());
  return ActorFormula([change, expression = *expression, seed, stream](const ActorValue& actor) {
    const double random = randomUnit(seed, actor.actor, std::uint64_t(stream));
    const double ramp = actor.count > 1 ? double(actor.index) / double(actor.count - 1) : 0.0;
    const glm::dvec2& around = actor.aroundCenter;
    const double values[] = {actor.position.x,
                             actor.position.y,
                             actor.position.z,
                             glm::length(around),
                             std::atan2(around.x, around.y) * kDegrees,
                             double(actor.index),
                             double(actor.count),
                             double(actor.group),
                             double(actor.crowd),
                             double(seed % (1ull << 52))};
    const double right = expression.value(std::array{random, ramp}, values);
    return change ? changed(*change, actor.value, right) : right;
  });
}

}  // namespace ck::ui
