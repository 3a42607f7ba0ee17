#include "ui/viewport/frame_budget.h"

#include <algorithm>

namespace ck::ui {
namespace {
// The first frames after a change hold uploads and compiles; they say nothing.
constexpr int kSettleFrames = 4;
constexpr int kJudgeFrames = 10;
}  // namespace

std::size_t FrameBudget::next(double ms, std::size_t shown, std::size_t wanted) {
  ++framesSinceChange_;
  if (framesSinceChange_ <= kSettleFrames) {
    smoothMs_ = ms;
    return shown < wanted ? shown : SIZE_MAX;
  }
  smoothMs_ += (ms - smoothMs_) * 0.2;
  const std::size_t keep = shown < wanted ? shown : SIZE_MAX;
  if (framesSinceChange_ < kJudgeFrames) return keep;
  const bool tooSlow = smoothMs_ > kMostMs && shown > kFewest;
  // Room for well over half as many again, so that it is not taken back at once.
  const bool room = shown < wanted && smoothMs_ < kAimMs * 0.45;
  if (!tooSlow && !room) return keep;
  framesSinceChange_ = 0;
  const double factor = tooSlow ? kAimMs / smoothMs_ : 1.6;
  const auto count = std::max(kFewest, std::size_t(double(shown) * factor));
  return count >= wanted ? SIZE_MAX : count;
}

}  // namespace ck::ui
