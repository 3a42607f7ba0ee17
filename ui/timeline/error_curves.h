#pragma once

#include <QObject>
#include <deque>
#include <memory>
#include <optional>

#include "core/error/bake_error.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;
class Playback;
class Session;

// The error of the shown clip over time, as the view draws its atlas (core/error/bake_error.h).
// Measured in the background while anybody looks; the newest request wins, and a few earlier
// results are kept.
class ErrorCurves : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  ErrorCurves(const Document& document, const Session& session, const Playback& playback,
              QObject* parent = nullptr);

  // Whether results are looked at; nothing is measured otherwise.
  void setWatched(bool watched);

  // The moments of the shown clip, ascending; null if they are not known (yet). The worst place
  // that was measured over the whole atlas is one of them, where it is in this clip.
  const std::vector<ErrorMoment>* moments() const { return moments_ ? &*moments_ : nullptr; }
  const ErrorMoment* worst() const;  // of them
  bool isMeasuring() const { return measuring_.has_value(); }
  QString problem() const { return problem_; }  // why it cannot be measured, or empty

  // The shown clip in the atlas of the shown character; -1 if it is not baked.
  int atlasClip() const { return shown_ ? shown_->clip : -1; }
  int character() const { return character_; }
  const Atlas* atlas() const { return shown_ ? shown_->atlas.get() : nullptr; }

 signals:
  void changed();

 private:
  // The input of a curve.
  struct Subject {
    CharacterPtr character;
    AtlasPtr atlas;
    int clip = 0;
    DrawnAs drawn;
    bool operator==(const Subject&) const = default;
  };
  struct Known {
    Subject subject;
    std::shared_ptr<const ErrorCurve> curve;
  };
  void follow();
  const ErrorCurve* find(const Subject& subject) const;
  void tell();  // gathers the moments and emits changed()

  const Document& document_;
  const Session& session_;
  const Playback& playback_;
  TaskRunner tasks_{nullptr, TaskRunner::Priority::Background};
  bool watched_ = false;
  int character_ = 0;
  std::optional<Subject> shown_;
  std::optional<Subject> measuring_;
  std::deque<Known> known_;  // the newest last
  std::optional<std::vector<ErrorMoment>> moments_;
  std::size_t worst_ = 0;  // index of the largest error in `moments_`
  QString problem_;
};

}  // namespace ck::ui
