#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ck::ui {

// A unit that may follow a number: in a field in metres, "cm" has the factor 0.01.
struct ExpressionUnit {
  std::string name;  // letters, or "%"
  double factor = 1.0;
};

// A sum or product of numbers that was typed into a field: + - * / and brackets, and units after
// numbers or brackets. Nothing is divided by 0: "5/0" is 5.
class Expression {
 public:
  // `ranges` are the names of functions of two numbers, such as R(0,1), whose value lies between
  // both. Fails with InvalidInput and a sentence, also if the value is not finite.
  static Result<Expression> read(const std::string& text, std::span<const ExpressionUnit> units,
                                 const std::vector<std::string>& ranges = {});

  // `shares`, one for each range, say where between its two numbers its value lies: 0 is the first
  // number, 1 the second.
  double value(std::span<const double> shares = {}) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ck::ui
