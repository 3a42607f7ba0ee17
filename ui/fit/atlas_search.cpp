#include "ui/fit/atlas_search.h"

#include <sys/resource.h>

#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/project/characters.h"
#include "core/project/pipeline.h"
#include "core/view/drawn_as.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

const QString kTask = QStringLiteral("fit");
constexpr int kNice = 5;

// What a search decides goes from one set of settings to another.
void setFound(BakeSettings& settings, const BakeSettings& found) {
  settings.encoding = found.encoding;
  settings.components = found.components;
  settings.rangeMode = found.rangeMode;
  settings.layout = found.layout;
  settings.rateHz = found.rateHz;
  settings.frames = found.frames;
  settings.reduceMm = found.reduceMm;
  settings.influences = found.influences;
}

}  // namespace

QString fitSettingsText(const BakeSettings& settings) {
  QStringList parts = {textOf(encodingName(settings.encoding))};
  if (settings.components) parts.front() += u' ' + textOf(componentsName(*settings.components));
  parts << (settings.rateHz > 0.0 ? AtlasSearch::tr("%1 Hz").arg(fixedText(settings.rateHz, 0))
            : settings.frames > 0 ? AtlasSearch::tr("%1 frames").arg(settings.frames)
                                  : AtlasSearch::tr("key grid"));
  if (settings.reduceMm > 0.0) {
    parts << AtlasSearch::tr("reduced by %1 mm").arg(fixedText(settings.reduceMm, 2));
  }
  parts << counted(settings.influences, AtlasSearch::tr("influence"),
                   AtlasSearch::tr("influences"));
  if (settings.rangeMode) {
    parts << AtlasSearch::tr("range by %1").arg(textOf(rangeModeName(*settings.rangeMode)));
  }
  parts << textOf(layoutKindName(settings.layout));
  return parts.join(QStringLiteral(", "));
}

AtlasSearch::AtlasSearch(Document& document, const Session& session, QObject* parent)
    : QObject(parent), document_(document), session_(session) {
  connect(&document, &Document::changed, this, &AtlasSearch::follow);
  connect(&session, &Session::changed, this, &AtlasSearch::follow);
  connect(&tasks_, &TaskRunner::progressed, this,
          [this](const QString&, double fraction, const QString& step) {
            emit progressed(fraction, step);
          });
  connect(&tasks_, &TaskRunner::failed, this, &AtlasSearch::failed);
  connect(&tasks_, &TaskRunner::finished, this, [this](const QString&, bool cancelled) {
    if (cancelled) result_.stopped = true;
    emit changed();
  });
}

QString AtlasSearch::whyNot() const {
  if (!session_.of(0).source) return tr("Import a rig first");
  if (!inputs()) return tr("Tick a clip to bake");
  return {};
}

std::optional<AtlasSearch::Inputs> AtlasSearch::inputs() const {
  const Project& project = document_.project();
  const LoadedCharacter& loaded = session_.of(0);
  if (!loaded.source || project.characters.empty()) return std::nullopt;
  const ProjectCharacter& character = project.characters.front();
  if (!anyClipTicked(character)) return std::nullopt;
  Inputs inputs{loaded.character(), bakeInputs(character), project.view.screen};
  setFound(inputs.settings, {});
  inputs.settings.reading = drawnReading(project.view);
  return inputs;
}

bool AtlasSearch::isCurrent() const {
  return asked_ && inputs() == asked_;
}

// Another rig has other atlases; rows of other clips stay until the next search, and say so.
void AtlasSearch::follow() {
  const bool isOther = asked_ && session_.of(0).character() != asked_->character;
  if (isOther) {
    ++number_;
    tasks_.cancel(kTask);
    asked_.reset();
    result_ = {};
  }
  const bool current = isCurrent();
  if (std::exchange(wasCurrent_, current) != current || isOther) return emit changed();
  if (!asked_) emit changed();
}

void AtlasSearch::start(const FitLimits& limits) {
  if (!whyNot().isEmpty()) return;
  asked_ = inputs();
  limits_ = limits;
  result_ = {};
  wasCurrent_ = true;
  const int number = ++number_;
  FitWish wish;
  wish.settings = asked_->settings;
  wish.limits = limits;
  wish.screen = asked_->screen;
  const auto work = [this, number, wish, character = asked_->character](JobContext job) {
    // Frames go first. On Linux this is the priority of the thread alone, and of those it starts.
    setpriority(PRIO_PROCESS, 0, kNice);
    return findAtlas(*character, wish, std::move(job), [this, number](const FitRow& row) {
      QMetaObject::invokeMethod(this, [this, number, row] {
        if (number == number_) add(row);
      });
    });
  };
  tasks_.run(kTask, tr("Searching the smallest atlas"), work,
             [this](const Result<FitResult>& result) { take(result); });
  emit changed();
}

void AtlasSearch::stop() {
  if (!isRunning()) return;
  tasks_.cancel(kTask);
}

void AtlasSearch::add(const FitRow& row) {
  if (!isRunning()) return;
  result_.rows.push_back(row);
  markFront(result_.rows);
  result_.best.reset();
  for (std::size_t i = 0; i < result_.rows.size() && !result_.best; ++i) {
    if (result_.rows[i].isWithin && limits_ != FitLimits{}) result_.best = i;
  }
  emit changed();
}

void AtlasSearch::take(const Result<FitResult>& result) {
  if (!result) return emit failed(result.error());
  result_ = *result;
  emit changed();
}

void AtlasSearch::use(const FitRow& row) {
  edit(row.settings, {});
}

void AtlasSearch::use(const FitAdvice& advice) {
  edit(advice.row.settings, advice.clip);
}

void AtlasSearch::edit(const BakeSettings& found, const std::string& droppedClip) {
  document_.edit(tr("Use the found atlas"), [&](Project& project) {
    ProjectCharacter& character = project.characters.front();
    setFound(character.bake, found);
    for (ProjectClip& clip : character.clips) {
      if (!droppedClip.empty() && titleOf(clip) == droppedClip) clip.ticked = false;
    }
  });
}

}  // namespace ck::ui
