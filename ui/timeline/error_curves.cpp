#include "ui/timeline/error_curves.h"

#include <algorithm>

#include "core/project/characters.h"
#include "core/view/drawn_as.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/playback.h"
#include "ui/playback/worst_moment.h"

namespace ck::ui {
namespace {

constexpr std::size_t kMostKept = 24;

}  // namespace

ErrorCurves::ErrorCurves(const Document& document, const Session& session, const Playback& playback,
                         QObject* parent)
    : QObject(parent), document_(document), session_(session), playback_(playback) {
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (drawnAs(before.view) != drawnAs(now.view) ||
        drawnReading(before.view) != drawnReading(now.view)) {
      follow();
    }
  });
  connect(&session, &Session::changed, this, &ErrorCurves::follow);
  connect(&session, &Session::rigsChanged, this, &ErrorCurves::follow);
  connect(&session, &Session::errorChanged, this, &ErrorCurves::follow);
  connect(&playback, &Playback::shownClipChanged, this, &ErrorCurves::follow);
  connect(&tasks_, &TaskRunner::failed, this, [this](const Error& error) {
    problem_ = textOf(error.message);
    measuring_.reset();
    tell();
  });
}

void ErrorCurves::setWatched(bool watched) {
  if (watched == watched_) return;
  watched_ = watched;
  follow();
}

const ErrorCurve* ErrorCurves::find(const Subject& subject) const {
  const auto found = std::ranges::find(known_, subject, &Known::subject);
  return found == known_.end() ? nullptr : found->curve.get();
}

void ErrorCurves::follow() {
  character_ = playback_.shownCharacter();
  std::optional<Subject> subject;
  const AtlasPtr atlas = session_.atlas(character_);
  const CharacterPtr rig = session_.character(character_);
  const std::vector<ProjectClip>& clips = session_.of(character_).source
                                              ? clipsOf(document_.project(), character_)
                                              : std::vector<ProjectClip>();
  const int shown = playback_.shownIndex();
  if (atlas && rig && shown >= 0 && shown < int(clips.size())) {
    const std::string& name = session_.clip(character_, shown).name;
    const auto baked = std::ranges::find(atlas->clips, name, sourceNameOf);
    if (baked != atlas->clips.end()) {
      DrawnAs drawn = drawnAs(document_.project().view);
      drawn.screen = {};
      subject = Subject{rig, atlas, int(baked - atlas->clips.begin()), drawn};
    }
  }
  // Curves must not keep atlases that are gone.
  std::erase_if(known_, [this](const Known& one) {
    for (int c = 0; c < characterCount(document_.project()); ++c) {
      if (session_.atlas(c) == one.subject.atlas) return false;
    }
    return true;
  });
  const bool other = subject != shown_;
  if (other) problem_.clear();
  shown_ = std::move(subject);
  // The error of the whole atlas is measured first.
  const bool wanted = watched_ && shown_ && problem_.isEmpty() && !find(*shown_) &&
                      !session_.isMeasuring(character_);
  if (!wanted && measuring_) {
    measuring_.reset();
    tasks_.cancelAll();
  }
  if (wanted && measuring_ != shown_) {
    measuring_ = shown_;
    const auto work = [subject = *shown_](const JobContext& job) {
      return errorOverTime(*subject.character, *subject.atlas, subject.clip, subject.drawn, job);
    };
    const auto take = [this, subject = *shown_](const Result<ErrorCurve>& curve) {
      if (curve) {
        if (known_.size() >= kMostKept) known_.pop_front();
        known_.push_back({subject, std::make_shared<const ErrorCurve>(*curve)});
      } else {
        problem_ = sentenceOf(curve.error().message);
      }
      if (measuring_ == subject) measuring_.reset();
      tell();
    };
    tasks_.run(QStringLiteral("errorOverTime"), tr("Measuring the error over time"), work, take);
  }
  tell();
}

// Both are measured between the frames, and the atlas' worst place more finely.
void ErrorCurves::tell() {
  const ErrorCurve* curve = shown_ ? find(*shown_) : nullptr;
  const bool direct = drawnReading(document_.project().view) == Reading::Direct;
  moments_.reset();
  if (curve) moments_ = direct ? curve->direct : curve->palette;
  const BakeError* error = curve ? session_.error(character_) : nullptr;
  if (error) {
    const ErrorFigure& figure = (direct ? error->direct : error->palette).vertices;
    const auto worst = worstMomentOf(figure, *shown_->atlas, *shown_->character);
    if (worst && worst->atlasClip == shown_->clip) {
      const double unit = worst->moment.unit;
      const auto after = std::ranges::lower_bound(*moments_, unit, {}, &ErrorMoment::unit);
      moments_->insert(after, worst->moment);
    }
  }
  if (moments_) {
    const auto worst = std::ranges::max_element(*moments_, {}, &ErrorMoment::mm);
    worst_ = std::size_t(worst - moments_->begin());
  }
  emit changed();
}

const ErrorMoment* ErrorCurves::worst() const {
  const std::vector<ErrorMoment>* all = moments();
  if (!all || all->empty()) return nullptr;
  return &(*all)[worst_];
}

}  // namespace ck::ui
