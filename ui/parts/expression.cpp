#include "ui/parts/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <muParser.h>

namespace ck::ui {
namespace {

using mu::value_type;

value_type between(void* share, value_type from, value_type to) {
  return from + (to - from) * *static_cast<const double*>(share);
}

// muParser takes plain functions for operators after a number, so each unit has a slot for its
// factor, which is set before every evaluation.
constexpr int kMostUnits = 12;
thread_local std::array<double, kMostUnits> factors = {};
template <int place>
value_type timesFactor(value_type number) {
  return number * factors[std::size_t(place)];
}
template <int... places>
constexpr auto slotFunctions(std::integer_sequence<int, places...>) {
  return std::array{&timesFactor<places>...};
}
constexpr auto kSlots = slotFunctions(std::make_integer_sequence<int, kMostUnits>());

std::string unitNames(std::span<const ExpressionUnit> units) {
  std::string names;
  for (const ExpressionUnit& unit : units) names += (names.empty() ? "" : ", ") + unit.name;
  return names;
}

// The sentence for an error of muParser.
std::string reasonOf(const mu::ParserError& error, std::span<const ExpressionUnit> units,
                     const ExpressionWords& words) {
  std::string token = error.GetToken();
  token.erase(token.find_last_not_of(" (") + 1);
  if (std::ranges::find(words.ranges, token) != words.ranges.end()) {
    return fmt::format("{0} needs two numbers: {0}(0,1)", token);
  }
  const auto known = std::ranges::find(words.functions, token, &ExpressionFunction::name);
  if (known != words.functions.end()) {
    return known->one     ? fmt::format("{0} needs one number in brackets: {0}(0.5)", token)
           : known->three ? fmt::format("{0} needs three numbers: {0}(x > 0, 1, 2)", token)
                          : fmt::format("{0} needs two numbers: {0}(0,1)", token);
  }
  switch (error.GetCode()) {
    case mu::ecEMPTY_EXPRESSION:
      return "A number is missing";
    case mu::ecUNEXPECTED_EOF:
      return "A number is missing at the end";
    case mu::ecMISSING_PARENS:
      return "A closing bracket is missing";
    case mu::ecUNEXPECTED_PARENS:
      return token == ")" ? "There is a closing bracket too many" : "There is a bracket too many";
    case mu::ecUNEXPECTED_VAL:
      return fmt::format("A + - * or / is missing before '{}'", token);
    default:
      break;
  }
  const bool isWord = !token.empty() && std::isalpha(static_cast<unsigned char>(token[0]));
  if (isWord && error.GetPos() > 0 && !units.empty()) {
    return fmt::format("'{}' is no unit of this field; it takes {}", token, unitNames(units));
  }
  return fmt::format("'{}' is not understood", token);
}

}  // namespace

// A function with the variables that it may look at.
struct Bound {
  const double* values;
  double (*two)(const double*, double, double);
  static value_type call(void* self, value_type a, value_type b) {
    const auto* bound = static_cast<const Bound*>(self);
    return bound->two(bound->values, a, b);
  }
};

struct Expression::State {
  mu::Parser parser;
  std::vector<double> shares;     // the functions point into it
  std::vector<double> variables;  // the parser and functions point into it
  std::vector<std::unique_ptr<Bound>> bound;
  std::array<double, kMostUnits> factorOf = {};

  double evaluated() const {
    factors = factorOf;
    return parser.Eval();
  }
};

Result<Expression> Expression::read(const std::string& text, std::span<const ExpressionUnit> units,
                                    const ExpressionWords& words) {
  Expression expression;
  expression.state_ = std::make_shared<State>();
  mu::Parser& parser = expression.state_->parser;
  std::vector<double>& shares = expression.state_->shares;
  shares.assign(words.ranges.size(), 0.5);
  std::vector<double>& variables = expression.state_->variables;
  variables.assign(words.variables.size(), 0.0);
  try {
    parser.ClearFun();
    parser.ClearConst();
    // Its own operators compare, assign and divide by 0.
    parser.EnableBuiltInOprt(false);
    parser.DefineOprt(
        "+", [](value_type a, value_type b) { return a + b; }, mu::prADD_SUB);
    parser.DefineOprt(
        "-", [](value_type a, value_type b) { return a - b; }, mu::prADD_SUB);
    parser.DefineOprt(
        "*", [](value_type a, value_type b) { return a * b; }, mu::prMUL_DIV);
    parser.DefineOprt(
        "/", [](value_type a, value_type b) { return b == 0.0 ? a : a / b; }, mu::prMUL_DIV);
    for (std::size_t i = 0; i < std::min(units.size(), kSlots.size()); ++i) {
      parser.DefinePostfixOprt(units[i].name, kSlots[i]);
      expression.state_->factorOf[i] = units[i].factor;
    }
    for (std::size_t i = 0; i < words.ranges.size(); ++i) {
      parser.DefineFunUserData(words.ranges[i], between, &shares[i], false);
    }
    for (std::size_t i = 0; i < words.variables.size(); ++i) {
      parser.DefineVar(words.variables[i], &variables[i]);
    }
    for (const ExpressionFunction& function : words.functions) {
      if (function.one) parser.DefineFun(function.name, function.one);
      if (function.three) parser.DefineFun(function.name, function.three);
      if (!function.two) continue;
      auto& bound = expression.state_->bound.emplace_back(
          std::make_unique<Bound>(Bound{variables.data(), function.two}));
      parser.DefineFunUserData(function.name, Bound::call, bound.get(), false);
    }
    if (words.compares) {
      parser.DefineOprt(
          "<", [](value_type a, value_type b) { return a < b ? 1.0 : 0.0; }, mu::prCMP);
      parser.DefineOprt(
          ">", [](value_type a, value_type b) { return a > b ? 1.0 : 0.0; }, mu::prCMP);
    }
    parser.SetExpr(text);
    const double value = expression.state_->evaluated();
    if (parser.GetNumResults() != 1) {
      return fail(ErrorCode::InvalidInput, "One number is needed, and there is a comma");
    }
    if (!std::isfinite(value)) return fail(ErrorCode::InvalidInput, "The number is too large");
  } catch (const mu::ParserError& error) {
    return fail(ErrorCode::InvalidInput, reasonOf(error, units, words));
  }
  return expression;
}

double Expression::value(std::span<const double> shares, std::span<const double> values) const {
  std::ranges::copy(values.first(std::min(values.size(), state_->variables.size())),
                    state_->variables.begin());
  std::ranges::copy(shares.first(std::min(shares.size(), state_->shares.size())),
                    state_->shares.begin());
  return state_->evaluated();
}

}  // namespace ck::ui
