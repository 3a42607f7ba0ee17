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

// A function of one to three numbers. `values` are those of the variables.
struct ExpressionFunction {
  std::string name;
  double (*one)(double) = nullptr;
  double (*two)(const double* values, double, double) = nullptr;
  double (*three)(double, double, double) = nullptr;
};

// The further words of an expression.
struct ExpressionWords {
  std::vector<std::string> ranges = {};  // functions such as R(0,1), whose value lies between both
  std::vector<std::string> variables = {};
  std::vector<ExpressionFunction> functions = {};
  bool compares = false;  // whether < and > are 1 or 0
};

// A sum or product of numbers that was typed into a field: + - * / and brackets, and units after
// numbers or brackets. Nothing is divided by 0: "5/0" is 5.
class Expression {
 public:
  // Fails with InvalidInput and a sentence, also if the value is not finite where all variables are
  // 0.
  static Result<Expression> read(const std::string& text, std::span<const ExpressionUnit> units,
                                 const ExpressionWords& words = {});

  // `shares`, one for each range, say where between its two numbers its value lies: 0 is the first
  // number, 1 the second. `values` are those of the variables.
  double value(std::span<const double> shares = {}, std::span<const double> values = {}) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ck::ui
