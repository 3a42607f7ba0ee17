#pragma once

#include <QString>
#include <cstdint>

#include "core/base/result.h"
#include "ui/document/frame_budget.h"

namespace ck::ui {

class Playback;

// Lets the playback show as many actors as the view draws in time, and fewer than those that were
// refused to be drawn. Does nothing while the playback has a fixed step.
class FramePacer {
 public:
  explicit FramePacer(Playback& playback) : playback_(playback) {}  // must outlive the pacer

  // What was refused may be drawn another way now.
  void lift() { ceiling_ = SIZE_MAX; }

  // After each frame, which took so long. Returns why nothing is drawn, once for each reason; empty
  // where all is well, or fewer actors may be drawn.
  QString follow(const Result<void>& drawn, double frameMs);

 private:
  void limit(bool refused, double frameMs);

  Playback& playback_;
  FrameBudget budget_;
  QString refusal_;
  std::size_t ceiling_ = SIZE_MAX;
};

}  // namespace ck::ui
