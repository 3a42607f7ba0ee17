#include "ui/document/character_loader.h"

#include <QElapsedTimer>
#include <utility>
#include <vector>

#include "core/error/bake_error.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

// Kinds of tasks. The tag of a task is its kind, followed by the key of its loader.
const QString kImport = QLatin1String(CharacterLoader::kReadingTask);
const QString kBake = QStringLiteral("bake");
const QString kMeasure = QLatin1String(CharacterLoader::kMeasuringTask);
const QString kCount = QStringLiteral("count");

QString newKey() {
  static int made = 0;
  return QString::number(++made);
}

}  // namespace

CharacterLoader::CharacterLoader(const ImportInputs& read, TaskRunner& tasks, TaskRunner& quick)
    : tasks_(&tasks), quick_(&quick), key_(newKey()) {
  inputs = read;
  connect(&tasks, &TaskRunner::finished, this, &CharacterLoader::onFinished);
}

CharacterLoader::~CharacterLoader() {
  if (tasks_) tasks_->disconnect(this);
  stop();
}

QString CharacterLoader::tag(const QString& kind) const {
  return kind + u'/' + key_;
}

void CharacterLoader::stop() {
  for (const QString& kind : {kImport, kBake, kMeasure}) {
    if (tasks_) tasks_->cancel(tag(kind));
  }
  if (quick_) quick_->cancel(tag(kCount));
}

void CharacterLoader::onFinished(const QString& ended, bool cancelled) {
  const bool isBake = ended == tag(kBake);
  if (cancelled && ended == tag(kImport) && state == CharacterState::Reading) {
    state = source ? CharacterState::Ready : CharacterState::Refused;
    if (!source) problem = tr("Reading it was cancelled");
    emit changed();
  }
  if (isBake) emit bakeEnded();
  if (cancelled && ended == tag(kMeasure)) emit measured();
}

void CharacterLoader::read(ProjectCharacter wanted, const std::filesystem::path& beside) {
  state = CharacterState::Reading;
  problem.clear();
  wanted.sources = inputs.sources;
  wanted.import = inputs.settings;
  // Only the task uses it before it has ended.
  const auto reports = std::make_shared<FitReports>();
  const auto work = [wanted = std::move(wanted), beside, reports](const JobContext& job) {
    return readCharacterStage(wanted, beside, job, reports.get());
  };
  const auto take = [this, reports](const Result<CharacterStage>& stage) {
    fits = *reports;
    stage ? install(*stage) : refuse(stage.error());
  };
  const QString title = tr("Reading %1").arg(fileNameOf(inputs.sources.back().path));
  tasks_->run(tag(kImport), title, work, take);
}

void CharacterLoader::install(const CharacterStage& stage) {
  logNotes(stage.source.character->name, stage.notes);
  const bool first = !source;
  source = stage.source;
  atlas = stage.atlas;
  bakedBy = bakeInputs(stage.settings);
  asked = stage.atlas ? std::optional(bakedBy) : std::nullopt;
  errors.clear();
  counted_.reset();
  state = CharacterState::Ready;
  for (const QString& kind : {kBake, kMeasure}) tasks_->cancel(tag(kind));
  emit wasRead(stage, first);
}

void CharacterLoader::refuse(const Error& error) {
  if (error.code == ErrorCode::Cancelled) return;
  state = CharacterState::Refused;
  problem = textOf(error.message);
  emit refused(error);
}

void CharacterLoader::count(const ProjectCharacter& settings) {
  if (counted_ == settings) return;
  counted_ = settings;
  if (!anyClipTicked(settings)) {
    figures.cost.reset();
    emit counted();
  }
  const auto work = [settings, rig = character(),
                     known = figures](const JobContext& job) -> Result<CharacterFigures> {
    return figuresOf(rig, settings, known, job);
  };
  const auto take = [this](const Result<CharacterFigures>& result) {
    if (result) {
      figures = *result;
    } else {
      figures.cost = tl::unexpected(result.error());
      emit failed(result.error());
    }
    emit counted();
  };
  quick_->run(tag(kCount), tr("Counting"), work, take);
}

void CharacterLoader::bake(const ProjectCharacter& settings) {
  asked = bakeInputs(settings);
  problem.clear();
  tasks_->cancel(tag(kMeasure));
  struct Baked {
    AtlasPtr atlas;
    Notes notes;
    double seconds;
  };
  const auto work = [settings, from = *source](const JobContext& job) -> Result<Baked> {
    QElapsedTimer timer;
    timer.start();
    Notes notes;
    const Result<AtlasPtr> made = bakeCharacter(from, settings, notes, job);
    if (!made) return tl::unexpected(made.error());
    return Baked{*made, notes, double(timer.elapsed()) / 1000.0};
  };
  const auto take = [this](const Result<Baked>& made) {
    if (!made) return purpose == Purpose::Joins ? refuse(made.error()) : emit failed(made.error());
    logNotes(character()->name, made->notes);
    installAtlas(made->atlas, made->seconds);
  };
  tasks_->run(tag(kBake), tr("Baking %1").arg(fileNameOf(inputs.sources.front().path)), work, take);
}

void CharacterLoader::installAtlas(const AtlasPtr& made, double seconds) {
  atlas = made;
  bakedBy = *asked;
  bakeSeconds = seconds;
  errors.clear();
  emit baked();
}

void CharacterLoader::measure() {
  waits_ = false;
  using Errors = std::vector<BakeError>;
  const std::vector<DrawnAs> missing = errors.missing(drawn_, *atlas);
  const auto work = [missing, rig = character(),
                     measuredAtlas = atlas](const JobContext& job) -> Result<Errors> {
    Errors found;
    const auto count = static_cast<float>(missing.size());
    for (const DrawnAs& drawn : missing) {
      const auto done = static_cast<float>(found.size());
      auto error = measureBakeError(*rig, *measuredAtlas, drawn,
                                    job.part(done / count, (done + 1.0f) / count));
      if (!error) return tl::unexpected(error.error());
      found.push_back(std::move(*error));
    }
    return found;
  };
  const auto take = [this, missing, measuredAtlas = atlas](const Result<Errors>& found) {
    if (atlas != measuredAtlas) return;
    if (!found) {
      const Error& error = found.error();
      emit failed({error.code, character()->name + ": " + error.message});
    }
    for (std::size_t i = 0; found && i < found->size(); ++i) {
      errors.add(missing[i], *measuredAtlas, (*found)[i]);
    }
    errors.setScreen(drawn_.screen);
    emit measured();
  };
  tasks_->run(tag(kMeasure), tr("Measuring the error"), work, take);
}

void CharacterLoader::setDrawn(const DrawnAs& drawn) {
  drawn_ = drawn;
  errors.setScreen(drawn.screen);
}

bool CharacterLoader::isMeasured() const {
  return atlas && errors.missing(drawn_, *atlas).empty();
}

bool CharacterLoader::isMeasuring() const {
  return waits_ || tasks_->isBusy(tag(kMeasure));
}

void CharacterLoader::holdMeasuring(bool isDue) {
  if (!isDue && !tasks_->isBusy(tag(kMeasure))) return;
  waits_ = true;
  tasks_->cancel(tag(kMeasure));
}

void CharacterLoader::resumeMeasuring() {
  if (std::exchange(waits_, false) && atlas && !isMeasured()) measure();
}

const BakeError* CharacterLoader::error(const DrawnAs& drawn) const {
  return atlas ? errors.find(drawn, *atlas) : nullptr;
}

bool CharacterLoader::isReading() const {
  return tasks_->isBusy(tag(kImport));
}

bool CharacterLoader::isBaking() const {
  return tasks_->isBusy(tag(kBake));
}

}  // namespace ck::ui
