#include "ui/playback/frame_budget.h"

#include <algorithm>

#include "ui/document/text.h"
#include "ui/playback/playback.h"

namespace ck::ui {
namespace {
// The first frames after a change include uploads and compiling, so they are ignored.
constexpr int kSettleFrames = 2;
constexpr int kJudgeFrames = 8;
// Fewer frames this slow are needed before a decision.
constexpr double kHopelessMs = 180.0;
}  // namespace

std::size_t FrameBudget::next(double ms, std::size_t shown, std::size_t wanted) {
  ++framesSinceChange_;
  if (framesSinceChange_ <= kSettleFrames) {
    smoothMs_ = ms;
    return shown < wanted ? shown : SIZE_MAX;
  }
  smoothMs_ += (ms - smoothMs_) * 0.2;
  const std::size_t keep = shown < wanted ? shown : SIZE_MAX;
  const bool hopeless = ms > kHopelessMs && smoothMs_ > kHopelessMs;
  if (framesSinceChange_ < kJudgeFrames && !hopeless) return keep;
  // The cost per actor is proportional: aim for a good frame time at once, but do not react to
  // times between good and bad.
  const double factor = kAimMs / std::max(smoothMs_, 0.01);
  const bool tooSlow = smoothMs_ > kMostMs && shown > kFewest;
  const bool room = shown < wanted && factor > 1.25;
  if (!tooSlow && !room) return keep;
  framesSinceChange_ = 0;
  const auto count =
      std::max(kFewest, std::size_t(double(shown) * std::min(factor, double(kGrowth))));
  return count >= wanted ? SIZE_MAX : count;
}

std::size_t FrameBudget::resting(double ms, std::size_t shown, std::size_t wanted) {
  if (shown == 0 || shown >= wanted || ms <= 0.0) return wanted;
  const double fits = kRestingMs * static_cast<double>(shown) / ms;
  return std::min(wanted, std::max(shown, static_cast<std::size_t>(fits)));
}

void DetailBudget::restart() {
  factor_ = std::max(factor_, kFirst);
  framesSinceChange_ = 0;
}

void DetailBudget::next(double ms) {
  ++framesSinceChange_;
  if (framesSinceChange_ <= kSettleFrames) {
    smoothMs_ = ms;
    return;
  }
  smoothMs_ += (ms - smoothMs_) * 0.3;
  // Detail comes back slowly and goes at once.
  constexpr double kRoom = 0.7;
  double factor = factor_;
  if (smoothMs_ > FrameBudget::kMostMs) {
    factor *= 1.4;
  } else if (framesSinceChange_ >= kJudgeFrames && smoothMs_ < kRoom * FrameBudget::kAimMs) {
    factor /= 1.25;
  }
  factor = std::clamp(factor, 1.0, kMost);
  if (factor == factor_) return;
  factor_ = factor;
  framesSinceChange_ = 0;
}

void DetailBudget::rest() {
  factor_ = std::max(1.0, factor_ * 0.5);
  framesSinceChange_ = 0;
}

DetailSettings FramePacer::paced(DetailSettings detail) const {
  if (playback_.fixedStep() > 0.0 || !detail.keepsUp) return detail;
  detail.pixels = std::min(detail.pixels * detail_.factor(),
                           std::max(detail.pixels, DetailBudget::kMostPixels));
  return detail;
}

bool FramePacer::isRefining() const {
  return playback_.isDetailed() && keepsUp_ && playback_.fixedStep() <= 0.0 &&
         !playback_.isPlaying() && detail_.factor() > 1.0;
}

QString FramePacer::follow(const Result<void>& drawn, double frameMs,
                           const DetailSettings& detail) {
  keepsUp_ = detail.keepsUp;
  if (playback_.isDetailed() && drawn) {
    playback_.isPlaying() ? detail_.next(frameMs) : detail_.rest();
  }
  const bool fewerMay = !drawn && playback_.fixedStep() <= 0.0 && playback_.crowd() &&
                        playback_.crowd()->size() > FrameBudget::kFewest;
  limit(!drawn, frameMs);
  if (fewerMay) return {};
  QString refusal = drawn ? QString() : textOf(drawn.error().message);
  if (refusal == refusal_) return {};
  refusal_ = refusal;
  return refusal;
}

void FramePacer::limit(bool refused, double frameMs) {
  if (playback_.fixedStep() > 0.0 || !playback_.crowd()) return;
  const std::size_t shown = playback_.crowd()->size();
  const std::size_t wanted = playback_.wantedActors();
  const bool isDetailed = playback_.isDetailed() && !refused;
  if (isDetailed && shown >= wanted) return;
  if (refused) ceiling_ = std::max(FrameBudget::kFewest, shown / 2);
  std::size_t most = ceiling_;
  // With levels of detail all actors are shown, also after a limit from before there were levels.
  if (!isDetailed) {
    const std::size_t paced = playback_.isPlaying() ? budget_.next(frameMs, shown, wanted)
                                                    : FrameBudget::resting(frameMs, shown, wanted);
    most = std::min(paced, ceiling_);
  }
  if (most == shown || most == playback_.visibleLimit()) return;
  // The crowd is not rebuilt in the middle of a frame.
  QMetaObject::invokeMethod(
      &playback_, [&playback = playback_, most] { playback.setVisibleLimit(most); },
      Qt::QueuedConnection);
}

}  // namespace ck::ui
