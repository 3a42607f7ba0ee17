#pragma once

#include <QString>
#include <cstdint>

#include "core/base/result.h"
#include "ui/document/frame_budget.h"

namespace ck::ui {

class Playback;

// Limits the number of shown actors so that frames stay short, and below a number that the renderer
// has refused. Does nothing while the playback has a fixed step.
class FramePacer {
 public:
  explicit FramePacer(Playback& playback) : playback_(playback) {}  // must outlive the pacer

  // Allows more actors again, because the view is drawn in another way.
  void lift() { ceiling_ = SIZE_MAX; }

  // Called after each frame with its duration. Returns an error message, once per reason; empty if
  // there is no error or fewer actors may be drawable.
  QString follow(const Result<void>& drawn, double frameMs);

 private:
  void limit(bool refused, double frameMs);

  Playback& playback_;
  FrameBudget budget_;
  QString refusal_;
  std::size_t ceiling_ = SIZE_MAX;
};

}  // namespace ck::ui
