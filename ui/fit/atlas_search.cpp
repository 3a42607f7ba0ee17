#include "ui/fit/atlas_search.h"

#include <sys/resource.h>

#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "core/view/drawn_as.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/shown_character.h"

namespace ck::ui {
namespace {

const QString kTask = QStringLiteral("fit");
constexpr int kNice = 5;

}  // namespace

QString fitSettingsText(const BakeSettings& settings) {
  QStringList parts = {textOf(encodingName(encodingOf(settings)))};
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

AtlasSearch::AtlasSearch(const Document& document, const Session& session, ShownCharacter& shown,
                         QObject* parent)
    : QObject(parent), document_(document), session_(session), shown_(shown) {
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.view != now.view) emit changed();
  });
  connect(&session, &Session::rigsChanged, this, &AtlasSearch::follow);
  connect(&shown, &ShownCharacter::changed, this, &AtlasSearch::changed);
  connect(&tasks_, &TaskRunner::progressed, this,
          [this](const QString&, double fraction, const QString& step) {
            if (isRunning()) emit progressed(fraction, step);
          });
  connect(&tasks_, &TaskRunner::failed, this, &AtlasSearch::failed);
  connect(&tasks_, &TaskRunner::finished, this, [this](const QString&, bool cancelled) {
    Search* search = searchOf(running_);
    if (cancelled && search) search->result.stopped = true;
    emit changed();
  });
}

const AtlasSearch::Search& AtlasSearch::shownSearch() const {
  static const Search kNone;
  const CharacterPtr shown = session_.character(shown_.number());
  const auto found = std::ranges::find_if(
      searches_, [&shown](const Search& one) { return one.asked.character == shown; });
  return found == searches_.end() ? kNone : *found;
}

AtlasSearch::Search* AtlasSearch::searchOf(int number) {
  const auto found = std::ranges::find(searches_, number, &Search::number);
  return found == searches_.end() ? nullptr : &*found;
}

bool AtlasSearch::isRunning() const {
  return tasks_.isBusy() && isAsked() && shownSearch().number == running_;
}

QString AtlasSearch::whyNot() const {
  if (!session_.character(shown_.number())) return tr("Import a rig first");
  QString why = shown_.whyNotEdited();
  if (why.isEmpty() && !inputs()) why = tr("Tick a clip to bake");
  return why;
}

std::optional<AtlasSearch::Inputs> AtlasSearch::inputs() const {
  const CharacterPtr character = session_.character(shown_.number());
  if (!character || !anyClipTicked(shown_.value())) return std::nullopt;
  const Project& project = document_.project();
  Inputs inputs{character, bakeInputs(shown_.value()), project.view.screen};
  takeSearched({}, inputs.settings);
  inputs.settings.reading = drawnReading(project.view);
  return inputs;
}

bool AtlasSearch::isCurrent() const {
  return isAsked() && inputs() == shownSearch().asked;
}

// Another rig has other atlases; rows of other clips stay until the next search, and say so.
void AtlasSearch::follow() {
  const std::vector<CharacterPtr> rigs = session_.characters();
  std::erase_if(searches_, [&rigs](const Search& one) {
    return std::ranges::find(rigs, one.asked.character) == rigs.end();
  });
  if (!searchOf(running_)) tasks_.cancel(kTask);
  emit changed();
}

void AtlasSearch::start(const FitLimits& limits) {
  if (!whyNot().isEmpty()) return;
  Search* before = tasks_.isBusy() ? searchOf(running_) : nullptr;
  if (before) before->result.stopped = true;
  const Inputs asked = *inputs();
  std::erase_if(searches_,
                [&asked](const Search& one) { return one.asked.character == asked.character; });
  searches_.push_back({asked, limits, {}, ++running_});
  FitWish wish;
  wish.settings = asked.settings;
  wish.limits = limits;
  wish.screen = asked.screen;
  const auto work = [this, number = running_, wish, character = asked.character](JobContext job) {
    // Frames go first. On Linux this is the priority of the thread alone, and of those it starts.
    setpriority(PRIO_PROCESS, 0, kNice);
    return findAtlas(*character, wish, std::move(job), [this, number](const FitRow& row) {
      QMetaObject::invokeMethod(this, [this, number, row] {
        Search* search = tasks_.isBusy() && number == running_ ? searchOf(number) : nullptr;
        if (search) add(*search, row);
      });
    });
  };
  const auto take = [this, number = running_](const Result<FitResult>& result) {
    if (!result) return emit failed(result.error());
    if (Search* search = searchOf(number)) search->result = *result;
    emit changed();
  };
  tasks_.run(kTask, tr("Searching the smallest atlas"), work, take);
  emit changed();
}

void AtlasSearch::stop() {
  if (isRunning()) tasks_.cancel(kTask);
}

void AtlasSearch::add(Search& search, const FitRow& row) {
  FitResult& result = search.result;
  result.rows.push_back(row);
  markFront(result.rows);
  result.best.reset();
  for (std::size_t i = 0; i < result.rows.size() && !result.best; ++i) {
    if (result.rows[i].isWithin && search.limits != FitLimits{}) result.best = i;
  }
  emit changed();
}

void AtlasSearch::use(const FitRow& row) {
  edit(row.settings, {});
}

void AtlasSearch::use(const FitAdvice& advice) {
  edit(advice.row.settings, advice.clip);
}

void AtlasSearch::edit(const BakeSettings& found, const std::string& droppedClip) {
  shown_.edit(tr("Use the found atlas"), [&](ProjectCharacter& character) {
    takeSearched(found, character.bake);
    for (ProjectClip& clip : character.clips) {
      if (!droppedClip.empty() && titleOf(clip) == droppedClip) clip.ticked = false;
    }
  });
}

}  // namespace ck::ui
