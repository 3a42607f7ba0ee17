#include "core/detail/triangle_budget.h"

#include <algorithm>
#include <cmath>

namespace ck {
namespace {

constexpr int kStepsAnOctave = 8;
constexpr int kLastStep = 48;  // TriangleBudget::kMost

double factorOf(int step) {
  return std::exp2(static_cast<double>(step) / kStepsAnOctave);
}

}  // namespace

double TriangleBudget::factor() const {
  return factorOf(step_);
}

bool TriangleBudget::update(std::size_t most, const std::function<std::size_t(double)>& trianglesAt,
                            bool remembers) {
  const int before = step_;
  const auto fewestSteps = [&](double triangles) {
    const auto isOver = [&](int step) {
      return static_cast<double>(trianglesAt(factorOf(step))) > triangles;
    };
    int step = 0;
    while (step < kLastStep && isOver(step)) ++step;
    return step;
  };
  const auto limit = static_cast<double>(most);
  step_ = most > 0 ? fewestSteps(limit) : 0;
  if (remembers && step_ < before && most > 0) step_ = std::min(before, fewestSteps(kRoom * limit));
  isKept_ = most == 0 || trianglesAt(factor()) <= most;
  return step_ != before;
}

}  // namespace ck
