#include "ui/bake/preset_figures.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "core/stage/pipeline.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/shown_character.h"

namespace ck::ui {
namespace {

const QString kTask = QStringLiteral("presets");
// Enough for the presets of several sets of clips that the artist goes back and forth between.
constexpr std::size_t kMostEntries = 32;
constexpr int kNice = 10;

PresetFigures::Figures measured(const CharacterSource& source, const ProjectCharacter& settings,
                                const ScreenView& screen, JobContext job) {
  // Frames and the artist's own bakes go first. On Linux this is the priority of the thread alone.
  setpriority(PRIO_PROCESS, 0, kNice);
  job.threadCount = 1;
  Notes notes;
  const Result<AtlasPtr> atlas = bakeCharacter(source, settings, notes, job);
  if (!atlas) return {.problem = sentenceOf(atlas.error().message)};
  const auto error = measureBakeError(*source.character, **atlas, DrawnAs{.screen = screen}, job);
  if (!error) return {.problem = sentenceOf(error.error().message)};
  return {.bytes = (*atlas)->texels.size(), .error = *error};
}

}  // namespace

PresetFigures::PresetFigures(const Document& document, const Session& session,
                             const ShownCharacter& shown, QObject* parent)
    : QObject(parent), document_(document), session_(session), character_(shown) {
  connect(&shown, &ShownCharacter::changed, this, &PresetFigures::follow);
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.view.screen == now.view.screen) return;
    for (Entry& entry : entries_) {
      if (entry.figures.error) {
        entry.figures.error = seenFrom(std::move(*entry.figures.error), now.view.screen);
      }
    }
    emit changed();
  });
  connect(&session, &Session::changed, this, &PresetFigures::follow);
  connect(&session, &Session::bakeStateChanged, this, &PresetFigures::follow);
  connect(&session, &Session::errorChanged, this, &PresetFigures::follow);
}

void PresetFigures::setShown(bool shown) {
  shown_ = shown;
  follow();
}

std::optional<ProjectCharacter> PresetFigures::settingsOf(BakePreset preset) const {
  const int shown = character_.number();
  if (!session_.character(shown) || !character_.whyNotEdited().isEmpty()) return std::nullopt;
  ProjectCharacter settings = session_.settings(shown);
  if (!anyClipTicked(settings)) return std::nullopt;
  settings.bake = withPreset(settings.bake, preset);
  return settings;
}

const PresetFigures::Entry* PresetFigures::known(const ProjectCharacter& settings) const {
  const auto found = std::ranges::find_if(
      entries_,
      [inputs = bakeInputs(settings), character = session_.character(character_.number())](
          const Entry& e) { return e.character == character && e.inputs == inputs; });
  return found == entries_.end() ? nullptr : &*found;
}

const PresetFigures::Figures* PresetFigures::of(BakePreset preset) const {
  const auto settings = settingsOf(preset);
  const Entry* entry = settings ? known(*settings) : nullptr;
  return entry ? &entry->figures : nullptr;
}

bool PresetFigures::mayRun() const {
  const int shown = character_.number();
  return shown_ && session_.atlas(shown) && !session_.isBaking() && !session_.isMeasuring(shown);
}

// Starts the first preset that is not known, and stops a task whose result nobody needs now.
void PresetFigures::follow() {
  std::optional<ProjectCharacter> next;
  for (const BakePreset preset : kBakePresets) {
    const auto settings = mayRun() ? settingsOf(preset) : std::nullopt;
    if (!settings || known(*settings)) continue;
    next = settings;
    break;
  }
  emit changed();
  if (!next) return idle_.cancel(kTask);
  if (idle_.isBusy(kTask) && running_ == bakeInputs(*next)) return;
  measure(*next);
}

void PresetFigures::measure(const ProjectCharacter& settings) {
  running_ = bakeInputs(settings);
  const auto work = [settings, source = *session_.of(character_.number()).source,
                     screen = document_.project().view.screen](const JobContext& job) {
    return measured(source, settings, screen, job);
  };
  const auto take = [this, inputs = running_,
                     character = session_.character(character_.number())](const Figures& figures) {
    if (entries_.size() >= kMostEntries) entries_.erase(entries_.begin());
    entries_.push_back({character, inputs, figures});
    Entry& entry = entries_.back();
    if (entry.figures.error) {
      entry.figures.error =
          seenFrom(std::move(*entry.figures.error), document_.project().view.screen);
    }
    follow();
  };
  idle_.run(kTask, tr("Measuring a preset"), work, take);
}

}  // namespace ck::ui
