#include "ui/viewport/frame_pacer.h"

#include <algorithm>

#include "ui/document/playback.h"
#include "ui/document/text.h"

namespace ck::ui {

QString FramePacer::follow(const Result<void>& drawn, double frameMs) {
  const bool fewerMay = !drawn && playback_.fixedStep() <= 0.0 && playback_.crowd() &&
                        playback_.crowd()->size() > FrameBudget::kFewest;
  limit(!drawn, frameMs);
  if (fewerMay) return {};
  const QString refusal = drawn ? QString() : textOf(drawn.error().message);
  if (refusal == refusal_) return {};
  refusal_ = refusal;
  return refusal;
}

void FramePacer::limit(bool refused, double frameMs) {
  if (playback_.fixedStep() > 0.0 || !playback_.crowd()) return;
  const std::size_t shown = playback_.crowd()->size();
  const std::size_t wanted = playback_.wantedActors();
  if (refused) ceiling_ = std::max(FrameBudget::kFewest, shown / 2);
  const std::size_t paced = playback_.isPlaying() ? budget_.next(frameMs, shown, wanted)
                                                  : FrameBudget::resting(frameMs, shown, wanted);
  const std::size_t most = std::min(paced, ceiling_);
  if (most == shown || most == playback_.shownLimit()) return;
  // The crowd is not rebuilt in the middle of a frame.
  QMetaObject::invokeMethod(
      &playback_, [&playback = playback_, most] { playback.setShownLimit(most); },
      Qt::QueuedConnection);
}

}  // namespace ck::ui
