#include "ui/panels/morphs_panel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/crowd/crowd_spawn.h"
#include "core/morph/actor_morphs.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/panels/morph_row.h"
#include "ui/theme/theme.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

// Entries of the box of sums: how the hero is added up.
enum Sums { FeedbackIntegers, FeedbackFloats, ComputeIntegers };

}  // namespace

MorphsPanel::MorphsPanel(Document& document, const Session& session, Selection& selection,
                         ViewportWidget* viewport, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      selection_(selection),
      viewport_(viewport),
      search_(new QLineEdit),
      whom_(new QLabel),
      figures_(new QLabel),
      none_(new QLabel(tr("This rig has no morph targets."))),
      onlyChanged_(new QCheckBox(tr("&Only changed"))),
      batch_(new QSpinBox),
      sums_(new QComboBox) {
  setObjectName(QStringLiteral("panel"));
  search_->setPlaceholderText(tr("Search morph targets"));
  search_->setAccessibleName(tr("Search morph targets"));
  search_->setClearButtonEnabled(true);
  search_->addAction(icon("search", colors::kMuted), QLineEdit::LeadingPosition);
  whom_->setObjectName(QStringLiteral("heading"));
  figures_->setObjectName(QStringLiteral("figures"));
  none_->setObjectName(QStringLiteral("muted"));
  auto* reset = new QToolButton;
  reset->setIcon(icon("rotate-ccw"));
  reset->setToolTip(tr("Let the clips decide about all targets again"));
  reset->setAccessibleName(tr("Reset all morph targets"));
  auto* heading = new QHBoxLayout;
  heading->addWidget(whom_, 1);
  heading->addWidget(reset);

  auto* inner = new QWidget;
  list_ = new QVBoxLayout(inner);
  list_->setContentsMargins(0, 0, 6, 0);
  list_->setSpacing(3);
  list_->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(inner);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 6, 10, 8);
  layout->setSpacing(7);
  layout->addLayout(heading);
  layout->addWidget(search_);
  layout->addWidget(none_);
  layout->addWidget(scroll, 1);
  layout->addLayout(makeMeans());
  layout->addWidget(figures_);

  connect(search_, &QLineEdit::textChanged, this, &MorphsPanel::filter);
  connect(reset, &QToolButton::clicked, this, &MorphsPanel::resetAll);
  connect(&session, &Session::characterChanged, this, &MorphsPanel::makeRows);
  connect(&document, &Document::changed, this, &MorphsPanel::showWeights);
  connect(&selection, &Selection::changed, this, &MorphsPanel::showWeights);
  // Gestures on different actors are steps of their own.
  connect(&selection, &Selection::changed, this, [this] { document_.endMerge(); });
  if (viewport_ != nullptr) {
    connect(viewport_, &ViewportWidget::framePainted, this, &MorphsPanel::showFrame);
  }
  makeRows();
}

// How the view adds the targets of the first selected actor up.
QLayout* MorphsPanel::makeMeans() {
  onlyChanged_->setChecked(true);
  onlyChanged_->setToolTip(
      tr("Adds only targets whose weight has changed to what is there; else all anew"));
  batch_->setRange(1, render::kLargestMorphBatch);
  batch_->setValue(render::kLargestMorphBatch);
  batch_->setAccessibleName(tr("Targets a pass"));
  batch_->setToolTip(tr("How many targets one pass of transform feedback adds"));
  sums_->addItem(tr("Integers"), FeedbackIntegers);
  sums_->addItem(tr("Floats"), FeedbackFloats);
  sums_->addItem(tr("Compute"), ComputeIntegers);
  sums_->setAccessibleName(tr("How targets are added up"));
  sums_->setToolTip(
      tr("Integers: transform feedback that never drifts. Floats: made anew every few seconds. "
         "Compute: a compute shader, on OpenGL 4.3"));
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  row->addWidget(onlyChanged_);
  row->addStretch(1);
  row->addWidget(sums_);
  auto* label = new QLabel(tr("A &pass"));
  label->setBuddy(batch_);
  row->addWidget(label);
  row->addWidget(batch_);
  connect(onlyChanged_, &QCheckBox::toggled, this, &MorphsPanel::takeMeans);
  connect(batch_, &QSpinBox::valueChanged, this, &MorphsPanel::takeMeans);
  connect(sums_, &QComboBox::activated, this, &MorphsPanel::takeMeans);
  return row;
}

void MorphsPanel::takeMeans() {
  if (viewport_ == nullptr) return;
  render::MorphView view = viewport_->morphs();
  const int sums = sums_->currentData().toInt();
  view.accumulator.sums = sums == FeedbackFloats ? MorphSums::Float : MorphSums::Fixed;
  view.accumulator.path =
      sums == ComputeIntegers ? render::MorphPath::Compute : render::MorphPath::Feedback;
  view.accumulator.batch = batch_->value();
  view.accumulator.onlyChanged = onlyChanged_->isChecked();
  batch_->setEnabled(sums != ComputeIntegers);
  viewport_->setMorphs(view);
}

void MorphsPanel::makeRows() {
  set_ = session_.character() ? morphSetOf(*session_.character()) : MorphSet();
  for (MorphRow* row : rows_) delete row;
  rows_.clear();
  for (const NamedMorph& morph : set_) {
    auto* row = new MorphRow(textOf(morph.name));
    list_->insertWidget(list_->count() - 1, row);
    rows_.push_back(row);
    connect(row, &MorphRow::entered, this, [this, row](double weight) { setWeight(*row, weight); });
    connect(row, &MorphRow::gestureEnded, this, [this] { document_.endMerge(); });
    connect(row, &MorphRow::soloAsked, this, [this, row] { solo(*row); });
    connect(row, &MorphRow::varyAsked, this, [this, row] { vary(*row); });
    connect(row, &MorphRow::resetAsked, this, [this, row] { resetOne(*row); });
  }
  none_->setVisible(session_.character() && set_.empty());
  filter();
  showWeights();
}

void MorphsPanel::filter() {
  for (MorphRow* row : rows_) {
    row->setVisible(row->name().contains(search_->text().trimmed(), Qt::CaseInsensitive));
  }
}

std::vector<int> MorphsPanel::actorsMeant() const {
  if (!selection_.actors().empty()) return selection_.actors();
  std::vector<int> all(document_.project().actors.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = int(i);
  return all;
}

void MorphsPanel::showWeights() {
  const std::vector<int>& selected = selection_.actors();
  const ActorList& actors = document_.project().actors;
  const QLocale locale;
  whom_->setText(selected.empty()
                     ? tr("All %1 actors").arg(locale.toString(qlonglong(actors.size())))
                     : tr("%n selected actor(s)", nullptr, int(selected.size())));
  setEnabled(session_.character() && actors.size() > 0);
  if (actors.size() == 0) return;
  const std::size_t first = selected.empty() ? 0 : std::size_t(selected.front());
  if (first >= actors.size()) return;
  for (std::size_t m = 0; m < rows_.size(); ++m) {
    const auto own = morphOf(actors[first], set_[m].name);
    rows_[m]->show(double(own.value_or(set_[m].defaultWeight)), own.has_value());
  }
}

// What the last frame had to do, and what clips show where actors have no weight of their own.
void MorphsPanel::showFrame() {
  if (!isVisible() || viewport_->renderer() == nullptr) return;
  const render::MorphStats& stats = viewport_->renderer()->stats().morphs;
  std::vector<char> changed(rows_.size(), 0);
  for (const int morph : stats.changed) {
    if (std::size_t(morph) < changed.size()) changed[std::size_t(morph)] = 1;
  }
  const ActorList& actors = document_.project().actors;
  const std::vector<int>& selected = selection_.actors();
  const bool live = stats.hero && stats.weights.size() == rows_.size() && !selected.empty() &&
                    std::size_t(selected.front()) < actors.size();
  for (std::size_t m = 0; m < rows_.size(); ++m) {
    if (!rows_[m]->isVisible()) continue;
    rows_[m]->setChangedNow(changed[m] != 0);
    if (!live || rows_[m]->isHeld()) continue;
    const bool own = morphOf(actors[std::size_t(selected.front())], set_[m].name).has_value();
    rows_[m]->show(double(stats.weights[m]), own);
  }
  const QString text = stats.hero
                           ? tr("%n target(s) changed, ", nullptr, int(stats.changed.size())) +
                                 tr("%n pass(es), ", nullptr, stats.passes) +
                                 tr("%1 ms").arg(QLocale().toString(stats.milliseconds, 'f', 2))
                           : tr("%n face(s) near, ", nullptr, int(stats.nearActors)) +
                                 tr("%1 ms").arg(QLocale().toString(stats.milliseconds, 'f', 2));
  if (figures_->text() != text) figures_->setText(text);
}

template <class Change>
void MorphsPanel::edit(const QString& text, const QString& mergeKey, Change&& change) {
  const std::vector<int> meant = actorsMeant();
  document_.edit(
      text,
      [&](Project& project) {
        for (const int index : meant) {
          Actor actor = project.actors[std::size_t(index)];
          change(actor, std::size_t(index));
          project.actors.set(std::size_t(index), actor);
        }
      },
      mergeKey);
}

void MorphsPanel::setWeight(const MorphRow& row, double weight) {
  const std::string name = row.name().toStdString();
  edit(tr("Weight of %1").arg(row.name()), QStringLiteral("morph/") + row.name(),
       [&](Actor& actor, std::size_t) { setMorph(actor, name, float(weight)); });
}

void MorphsPanel::solo(const MorphRow& row) {
  const std::string name = row.name().toStdString();
  edit(tr("Only %1").arg(row.name()), {}, [&](Actor& actor, std::size_t) {
    for (const NamedMorph& morph : set_) {
      if (morph.name != name) setMorph(actor, morph.name, 0.0f);
    }
    if (!morphOf(actor, name)) setMorph(actor, name, 1.0f);
  });
}

void MorphsPanel::vary(const MorphRow& row) {
  // Streams of their own beside those of spawning.
  constexpr std::uint64_t kStream = 2000;
  const std::string name = row.name().toStdString();
  const auto stream = kStream + std::uint64_t(findMorph(set_, name));
  const std::uint64_t seed = document_.project().randomSeed;
  edit(tr("Vary %1").arg(row.name()), {}, [&](Actor& actor, std::size_t index) {
    const double unit = randomUnit(seed, index, stream);
    setMorph(actor, name, float(std::round(unit * 100.0) * 0.01));
  });
}

void MorphsPanel::resetOne(const MorphRow& row) {
  const std::string name = row.name().toStdString();
  edit(tr("Reset %1").arg(row.name()), {},
       [&](Actor& actor, std::size_t) { setMorph(actor, name, std::nullopt); });
}

void MorphsPanel::resetAll() {
  edit(tr("Reset morph targets"), {}, [](Actor& actor, std::size_t) { actor.morphs.clear(); });
}

}  // namespace ck::ui
