#pragma once

#include <cstddef>
#include <vector>

#include "core/bake/bake_window.h"
#include "core/fit/fit.h"

namespace ck {

// The windows of all clips under one rate.
struct FitWindows {
  FitRate rate;
  std::vector<BakeWindow> windows;
};

// Settings whose bytes are known.
struct FitCandidate {
  BakeSettings settings;
  std::size_t rate = 0;  // into FitPlan::rates
  std::size_t bytes = 0;
  int width = 0;
  int height = 0;
  int frames = 0;
  int fetches = 0;
  // The error at the vertices is at least this, but for the 3 % to which errors are measured.
  double leastMm = 0.0;
};

TexelCode codeOf(const FitCandidate& candidate);

struct FitPlan {
  std::vector<FitWindows> rates;  // no two with the same frames in all clips
  std::vector<FitCandidate> candidates;
};

// All combinations of the choices that can be baked, without leastMm. Layouts and power of two are
// settled: candidates differ in what they store. Fails as planWindows() does, and as layOutAtlas()
// if no combination fits into a texture.
Result<FitPlan> planFit(const Character& character, const FitWish& wish, const JobContext& job);

}  // namespace ck
