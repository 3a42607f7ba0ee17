#include "ui/morphs/morphs_panel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScrollArea>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/crowd/actor.h"
#include "core/crowd/crowd_spawn.h"
#include "core/project/characters.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/morphs/morph_row.h"
#include "ui/theme/theme.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
MorphsPanel::MorphsPanel(Document& document, const Session& session, const Playback& playback,
                         Selection& selection, ViewportWidget* viewport, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection),
      viewport_(viewport),
      search_(new QLineEdit),
      whom_(new QLabel),
      figures_(new QLabel),
      none_(new QLabel) {
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
  layout->addWidget(figures_);

  connect(search_, &QLineEdit::textChanged, this, &MorphsPanel::filter);
  connect(reset, &QToolButton::clicked, this, &MorphsPanel::resetAll);
  connect(&session, &Session::characterChanged, this, &MorphsPanel::follow);
  connect(&session, &Session::changed, this, &MorphsPanel::follow);
  connect(&playback, &Playback::shownCharacterChanged, this, &MorphsPanel::follow);
  connect(&document, &Document::changed, this, &MorphsPanel::follow);
  connect(&selection, &Selection::changed, this, &MorphsPanel::follow);
  // Drags on different actors are separate undo steps.
  connect(&selection, &Selection::changed, this, [this] { document_.endMerge(); });
  if (viewport_ != nullptr) {
    connect(viewport_, &ViewportWidget::framePainted, this, &MorphsPanel::showFrame);
  }
  makeRows();
}

int MorphsPanel::character() const {
  const std::vector<int>& selected = selection_.actors();
  const ActorList& actors = document_.project().actors;
  if (selected.empty() || std::size_t(selected.front()) >= actors.size()) {
    return playback_.shownCharacter();
  }
  return actors[std::size_t(selected.front())].character;
}

// Another rig has other morphs.
void MorphsPanel::follow() {
  if (session_.character(character()) == rig_) {
    showWeights();
  } else {
    makeRows();
  }
}

void MorphsPanel::makeRows() {
  rig_ = session_.character(character());
  set_ = rig_ ? morphSetOf(*rig_) : MorphSet();
  for (MorphRow* row : rows_) {
    row->hide();
    row->deleteLater();
  }
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
  filter();
  showWeights();
}

void MorphsPanel::filter() {
  for (MorphRow* row : rows_) {
    row->setVisible(row->name().contains(search_->text().trimmed(), Qt::CaseInsensitive));
  }
}

std::vector<int> MorphsPanel::actorsMeant() const {
  const ActorList& actors = document_.project().actors;
  const int wanted = character();
  std::vector<int> meant;
  if (selection_.actors().empty()) {
    for (std::size_t i = 0; i < actors.size(); ++i) {
      if (actors[i].character == wanted) meant.push_back(int(i));
    }
    return meant;
  }
  for (const int actor : selection_.actors()) {
    if (std::size_t(actor) >= actors.size()) continue;
    if (actors[std::size_t(actor)].character == wanted) meant.push_back(actor);
  }
  return meant;
}

// The heading: which actors an edit applies to, with the character's name if there are several.
void MorphsPanel::showWhom() {
  const Project& project = document_.project();
  const auto selected = qlonglong(selection_.actors().size());
  const auto meant = qlonglong(actorsMeant().size());
  const QLocale locale;
  const QString title = textOf(characterTitle(project, character()));
  const QString whose = characterCount(project) == 1 ? QString() : tr(" of %1").arg(title);
  if (selected == 0) {
    whom_->setText(tr("All %1%2").arg(counted(meant, tr("actor"), tr("actors")), whose));
  } else if (meant == selected) {
    whom_->setText(
        tr("%1%2").arg(counted(meant, tr("selected actor"), tr("selected actors")), whose));
  } else {
    whom_->setText((meant == 1 ? tr("%1 of %2 selected is %3") : tr("%1 of %2 selected are %3"))
                       .arg(locale.toString(meant), locale.toString(selected), title));
  }
  whom_->setToolTip(meant == selected || selected == 0
                        ? QString()
                        : tr("The others have other morph targets and stay as they are; select "
                             "one of them first to edit its own"));
  none_->setText(tr("%1 has no morph targets.").arg(title));
  none_->setVisible(rig_ && set_.empty());
  setEnabled(rig_ && meant > 0);
}

void MorphsPanel::showWeights() {
  showWhom();
  const ActorList& actors = document_.project().actors;
  const std::vector<int> meant = actorsMeant();
  if (meant.empty()) return;
  const auto first = std::size_t(meant.front());
  for (std::size_t m = 0; m < rows_.size(); ++m) {
    const auto own = morphOf(actors[first], set_[m].name);
    rows_[m]->show(double(own.value_or(set_[m].defaultWeight)), own.has_value());
  }
}

// Shows the work of the last frame, and the clips' weights for actors without own weights.
void MorphsPanel::showFrame() {
  if (!isVisible() || viewport_->renderer() == nullptr) return;
  const render::MorphStats& stats = viewport_->renderer()->stats().morphs;
  std::vector<char> changed(rows_.size(), 0);
  for (const int morph : stats.changed) {
    if (std::size_t(morph) < changed.size()) changed[std::size_t(morph)] = 1;
  }
  // The frame may be from before the last change of selection, and the first selected actor may not
  // be among the visible ones.
  const std::vector<int>& selected = selection_.actors();
  const ActorList& actors = document_.project().actors;
  const bool live = stats.selectedActor && stats.weights.size() == rows_.size() &&
                    !selected.empty() && std::size_t(selected.front()) < actors.size() &&
                    !playback_.visibleOf({selected.front()}).empty();
  for (std::size_t m = 0; m < rows_.size(); ++m) {
    if (!rows_[m]->isVisible()) continue;
    rows_[m]->setChangedNow(live && changed[m] != 0);
    if (!live || rows_[m]->isHeld()) continue;
    const bool own = morphOf(actors[std::size_t(selected.front())], set_[m].name).has_value();
    rows_[m]->show(double(stats.weights[m]), own);
  }
  const QString took = tr("%1 ms").arg(QLocale().toString(stats.milliseconds, 'f', 2));
  const QString text =
      stats.selectedActor
          ? tr("%1 changed, %2, %3")
                .arg(counted(qlonglong(stats.changed.size()), tr("target"), tr("targets")),
                     counted(stats.passes, tr("pass"), tr("passes")), took)
          : tr("%1 near, %2")
                .arg(counted(qlonglong(stats.nearActors), tr("face"), tr("faces")), took);
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
  // Random streams that differ from those of spawning.
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
