#include "ui/morphs/morphs_panel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/crowd/actor.h"
#include "core/crowd/crowd_spawn.h"
#include "core/morph/morph_weight.h"
#include "core/project/characters.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

constexpr int kSteps = 100;  // slider steps for a weight of 1

// The actor's own weights, one per morph of the set. A name may mean several morphs.
std::vector<std::optional<float>> ownWeights(const MorphSet& set, const Actor& actor) {
  std::vector<std::optional<float>> weights(set.size());
  for (const MorphWeight& own : actor.morphs) {
    for (const int morph : morphsNamed(set, own.name)) weights[std::size_t(morph)] = own.weight;
  }
  return weights;
}

// Replaces names that mean several morphs, or that are not those of the set, by the names of the
// set.
void nameMorphsExactly(const MorphSet& set, Actor& actor) {
  const std::vector<std::optional<float>> weights = ownWeights(set, actor);
  actor.morphs.edit([&set](std::vector<MorphWeight>& morphs) {
    std::erase_if(morphs, [&set](const MorphWeight& own) {
      return findMorph(set, own.name) < 0 && !morphsNamed(set, own.name).empty();
    });
  });
  for (std::size_t m = 0; m < set.size(); ++m) {
    if (weights[m]) setMorph(actor, set[m].name, weights[m]);
  }
}

}  // namespace

MorphRow::MorphRow(const QString& name, QWidget* parent)
    : QWidget(parent),
      name_(name),
      mark_(richLabel()),
      slider_(new QSlider(Qt::Horizontal)),
      field_(named(numberBox(-double(kLargestMorphWeight), double(kLargestMorphWeight), 0.05),
                   tr("Weight of %1").arg(name))),
      reset_(iconButton("rotate-ccw", tr("Let the clips decide again"), tr("Reset %1").arg(name))) {
  mark_->setFixedWidth(10);
  mark_->setToolTip(tr("Lit while the target changes from frame to frame"));
  QLabel* label = labelFor(slider_, name);
  label->setMinimumWidth(70);
  label->setToolTip(name);
  slider_->setRange(0, kSteps);
  slider_->setPageStep(kSteps / 10);
  slider_->setAccessibleName(name);
  numberFieldOf(field_)->setDefaultNumber(0.0);
  for (QLineEdit* inner : field_->findChildren<QLineEdit*>()) {
    inner->setAccessibleName(field_->accessibleName());
  }
  QToolButton* solo =
      iconButton("focus", tr("Only this one: all others to 0"), tr("Only %1").arg(name));
  QToolButton* vary =
      iconButton("dices", tr("Everybody differently: a weight of its own, from 0 to 1, for each"),
                 tr("Vary %1").arg(name));
  setLayout(rowOf({mark_, {label, 2}, {slider_, 3}, field_, solo, vary, reset_}, 4));
  connect(slider_, &QSlider::valueChanged, this,
          [this](int value) { emit entered(double(value) / kSteps); });
  connect(slider_, &QSlider::sliderReleased, this, &MorphRow::gestureEnded);
  connect(field_, &QDoubleSpinBox::valueChanged, this, &MorphRow::entered);
  connect(field_, &QAbstractSpinBox::editingFinished, this, &MorphRow::gestureEnded);
  connect(solo, &QToolButton::clicked, this, &MorphRow::soloAsked);
  connect(vary, &QToolButton::clicked, this, &MorphRow::varyAsked);
  connect(reset_, &QToolButton::clicked, this, &MorphRow::resetAsked);
}

bool MorphRow::isHeld() const {
  return slider_->isSliderDown() || field_->hasFocus();
}

void MorphRow::show(double weight, bool own) {
  const QSignalBlocker quietSlider(slider_);
  const QSignalBlocker quietField(field_);
  // Weights outside 0..1 extend the slider's range.
  slider_->setRange(std::min(0, int(std::floor(weight)) * kSteps),
                    std::max(kSteps, int(std::ceil(weight)) * kSteps));
  if (!slider_->isSliderDown()) slider_->setValue(int(std::lround(weight * kSteps)));
  if (!field_->hasFocus()) field_->setValue(weight);
  reset_->setEnabled(own);
}

void MorphRow::setChangedNow(bool changed) {
  mark_->setText(changed ? QStringLiteral("<span style='color:#6db3ff'>&#9679;</span>")
                         : QString());
}

MorphsPanel::MorphsPanel(Document& document, const Session& session, const Playback& playback,
                         Selection& selection, ViewportWidget* viewport, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection),
      viewport_(viewport),
      search_(searchField(tr("Search morph targets"))),
      whom_(styledLabel("heading")),
      figures_(styledLabel("figures")),
      none_(styledLabel("muted")),
      join_(new QCheckBox(tr("One slider for equal names"))) {
  setObjectName(QStringLiteral("panel"));
  QToolButton* reset = iconButton("rotate-ccw", tr("Let the clips decide about all targets again"),
                                  tr("Reset all morph targets"));
  auto* inner = new QWidget;
  list_ = layOutColumn(*inner, {0, 0, 6, 0}, 3, {{}});
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(inner);
  layOutColumn(*this, {10, 6, 10, 8}, 7,
               {rowOf({{whom_, 1}, reset}), search_, join_, none_, {scroll, 1}, figures_});

  connect(search_, &QLineEdit::textChanged, this, &MorphsPanel::filter);
  join_->setToolTip(tr(
      "Targets of one name move together in all meshes, and take one place in the atlas; the rig "
      "is read and baked again"));
  connect(join_, &QCheckBox::toggled, this, &MorphsPanel::setJoined);
  connect(reset, &QToolButton::clicked, this, &MorphsPanel::resetAll);
  connect(&session, &Session::rigsChanged, this, &MorphsPanel::follow);
  connect(&session, &Session::changed, this, &MorphsPanel::follow);
  connect(&playback, &Playback::shownCharacterChanged, this, &MorphsPanel::follow);
  connect(&document, &Document::changed, this, &MorphsPanel::follow);
  connect(&selection, &Selection::changed, this, &MorphsPanel::follow);
  // Drags on different actors are separate undo steps.
  connect(&selection, &Selection::changed, this, [this] { ++selections_; });
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

// The number of the character whose import settings apply.
int MorphsPanel::importedCharacter() const {
  const std::vector<ProjectCharacter>& all = document_.project().characters;
  const int number = character();
  if (std::size_t(number) >= all.size()) return -1;
  const int own = all[std::size_t(number)].variantOf.value_or(number);
  return isFromProject(all[std::size_t(own)]) ? -1 : own;
}

void MorphsPanel::showJoin() {
  const int imported = importedCharacter();
  const bool joins =
      imported >= 0 && document_.project().characters[std::size_t(imported)].import.joinMorphs;
  const bool repeats = std::ranges::any_of(
      set_, [](const NamedMorph& morph) { return morph.name != morph.targetName; });
  join_->setVisible(imported >= 0 && (joins || repeats));
  const QSignalBlocker block(join_);
  join_->setChecked(joins);
}

void MorphsPanel::setJoined(bool joined) {
  const int imported = importedCharacter();
  if (imported < 0) return;
  document_.edit(joined ? tr("Join morph targets") : tr("Separate morph targets"),
                 [&](Project& project) {
                   project.characters[std::size_t(imported)].import.joinMorphs = joined;
                 });
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
    auto* row = new MorphRow(nameText(morph.name));
    list_->insertWidget(list_->count() - 1, row);
    rows_.push_back(row);
    connectRow(*row, morph.name);
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
  std::vector<int> meant = selection_.actors();
  if (meant.empty()) {
    meant.resize(actors.size());
    std::iota(meant.begin(), meant.end(), 0);
  }
  std::erase_if(meant, [&, wanted = character()](int actor) {
    return std::size_t(actor) >= actors.size() || actors[std::size_t(actor)].character != wanted;
  });
  return meant;
}

// The heading: which actors an edit applies to, with the character's name if there are several.
void MorphsPanel::showWhom() {
  const Project& project = document_.project();
  const auto selected = qlonglong(selection_.actors().size());
  const auto meant = qlonglong(actorsMeant().size());
  const QLocale locale;
  const QString title = nameText(characterTitle(project, character()));
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
  showJoin();
  const ActorList& actors = document_.project().actors;
  const std::vector<int> meant = actorsMeant();
  if (meant.empty()) return;
  const auto first = std::size_t(meant.front());
  const std::vector<std::optional<float>> own = ownWeights(set_, actors[first]);
  for (std::size_t m = 0; m < rows_.size(); ++m) {
    rows_[m]->show(double(own[m].value_or(set_[m].defaultWeight)), own[m].has_value());
  }
}

// Shows the work of the last frame, and the clips' weights for actors without own weights.
void MorphsPanel::showFrame() {
  if (!isVisible() || viewport_->renderer() == nullptr) return;
  const render::MorphStats& stats = viewport_->renderer()->stats().morphs;
  // The frame may be from before the last change of selection, and the first selected actor may not
  // be among the visible ones.
  const std::vector<int>& selected = selection_.actors();
  const ActorList& actors = document_.project().actors;
  const bool live = stats.selectedActor && stats.weights.size() == rows_.size() &&
                    !selected.empty() && std::size_t(selected.front()) < actors.size() &&
                    !playback_.visibleOf({selected.front()}).empty();
  std::vector<std::optional<float>> own;
  if (live) own = ownWeights(set_, actors[std::size_t(selected.front())]);
  for (std::size_t m = 0; m < rows_.size(); ++m) {
    if (!rows_[m]->isVisible()) continue;
    rows_[m]->setChangedNow(live && std::ranges::count(stats.changed, int(m)) > 0);
    if (!live || rows_[m]->isHeld()) continue;
    rows_[m]->show(double(stats.weights[m]), own[m].has_value());
  }
  const QString took = tr("%1 ms").arg(fixedText(stats.milliseconds, 2));
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
          nameMorphsExactly(set_, actor);
          change(actor, std::size_t(index));
          project.actors.set(std::size_t(index), actor);
        }
      },
      mergeKey);
}

void MorphsPanel::connectRow(const MorphRow& row, const std::string& name) {
  const QString title = row.name();
  connect(&row, &MorphRow::gestureEnded, this, [this] { document_.endMerge(); });
  connect(&row, &MorphRow::entered, this, [=, this](double weight) {
    edit(tr("Weight of %1").arg(title), QStringLiteral("morph/%1/%2").arg(title).arg(selections_),
         [&](Actor& actor, std::size_t) { setMorph(actor, name, float(weight)); });
  });
  connect(&row, &MorphRow::soloAsked, this, [=, this] {
    edit(tr("Only %1").arg(title), {}, [&](Actor& actor, std::size_t) {
      for (const NamedMorph& morph : set_) {
        if (morph.name != name) setMorph(actor, morph.name, 0.0f);
      }
      if (!morphOf(actor, name)) setMorph(actor, name, 1.0f);
    });
  });
  connect(&row, &MorphRow::varyAsked, this, [=, this] {
    // Random streams that differ from those of spawning.
    const std::uint64_t stream = 2000 + std::uint64_t(findMorph(set_, name));
    const std::uint64_t seed = document_.project().randomSeed;
    edit(tr("Vary %1").arg(title), {}, [&](Actor& actor, std::size_t index) {
      const double unit = randomUnit(seed, index, stream);
      setMorph(actor, name, float(std::round(unit * 100.0) * 0.01));
    });
  });
  connect(&row, &MorphRow::resetAsked, this, [=, this] {
    edit(tr("Reset %1").arg(title), {},
         [&](Actor& actor, std::size_t) { setMorph(actor, name, std::nullopt); });
  });
}

void MorphsPanel::resetAll() {
  edit(tr("Reset morph targets"), {}, [](Actor& actor, std::size_t) { actor.morphs.clear(); });
}

}  // namespace ck::ui
