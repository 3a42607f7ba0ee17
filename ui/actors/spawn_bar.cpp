#include "ui/actors/spawn_bar.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "core/project/characters.h"
#include "core/project/spawn.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {

namespace {

// Width of fields and the gap between them, in pixels.
constexpr int kCountWidth = 88;
constexpr int kNumberWidth = 80;
constexpr int kGap = 6;

// Actors in a formation that play the ticked clips of their characters, or all clips if none is
// ticked.
std::vector<Actor> dealt(const Project& project, const Session& session, SpawnSettings& spawn) {
  const std::vector<CharacterPtr> characters = session.characters();
  const std::vector<SpawnPart> parts = spawnParts(project, characters);
  spawn.clipCount = std::max(1, int(parts.front().clips.size()));
  return spawnCrowd(parts, spawn);
}

}  // namespace

QString formationTitle(Formation formation) {
  switch (formation) {
    case Formation::Grid:
      return SpawnBar::tr("Grid");
    case Formation::Disc:
      return SpawnBar::tr("Disc");
    default:
      return SpawnBar::tr("Scatter");
  }
}

SpawnBar::SpawnBar(Document& document, const Session& session, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      count_(new QSpinBox),
      formation_(new QComboBox),
      spacing_(new QDoubleSpinBox),
      seed_(new QSpinBox) {
  count_->setRange(0, 1000000);
  count_->setGroupSeparatorShown(true);
  count_->setAccessibleName(tr("Number of actors"));
  count_->setToolTip(tr("How many actors. Those that are there keep their clips and offsets"));
  for (const Formation formation : {Formation::Grid, Formation::Disc, Formation::Scatter}) {
    formation_->addItem(formationTitle(formation), int(formation));
  }
  formation_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  formation_->setAccessibleName(tr("Formation"));
  spacing_->setRange(0.05, 1000.0);
  spacing_->setDecimals(2);
  spacing_->setSingleStep(0.1);
  spacing_->setSuffix(tr(" m"));
  spacing_->setAccessibleName(tr("Spacing"));
  seed_->setRange(0, 999999);
  seed_->setAccessibleName(tr("Seed"));
  seed_->setToolTip(tr("The same seed gives the same crowd on every machine"));
  auto* dice = new QToolButton;
  dice->setIcon(icon("dices"));
  dice->setToolTip(tr("Another seed (Ctrl+R)"));
  dice->setAccessibleName(tr("Another seed"));

  layOut(dice);
  for (QAbstractSpinBox* box :
       {static_cast<QAbstractSpinBox*>(count_), static_cast<QAbstractSpinBox*>(spacing_),
        static_cast<QAbstractSpinBox*>(seed_)}) {
    box->setKeyboardTracking(false);
    connect(box, &QAbstractSpinBox::editingFinished, &document, [this] { document_.endMerge(); });
  }
  connect(count_, &QSpinBox::valueChanged, this, [this] { spawn(tr("Number of actors")); });
  connect(spacing_, &QDoubleSpinBox::valueChanged, this, [this] { spawn(tr("Spacing")); });
  connect(seed_, &QSpinBox::valueChanged, this, [this] { spawn(tr("Seed")); });
  connect(formation_, &QComboBox::activated, this, [this] { spawn(tr("Formation")); });
  connect(dice, &QToolButton::clicked, this, &SpawnBar::reseed);
  connect(&document, &Document::changed, this,
          [this](const Project&, const Project& now) { show(now.spawn); });
  connect(&session, &Session::characterChanged, this, [this] { show(document_.project().spawn); });
  show(document.project().spawn);
}

// Two fields per row. The labels on the right are not aligned, because one is long.
void SpawnBar::layOut(QWidget* dice) {
  // Wide enough for usual values; the largest possible values may be clipped.
  count_->setMinimumWidth(kCountWidth);
  spacing_->setMinimumWidth(kNumberWidth);
  seed_->setMinimumWidth(kNumberWidth);
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setHorizontalSpacing(kGap);
  layout->setVerticalSpacing(6);
  layout->setColumnStretch(1, 2);
  layout->setColumnStretch(2, 3);
  const auto labelOf = [](const QString& title, QWidget* field) {
    auto* label = new QLabel(title);
    label->setBuddy(field);
    return label;
  };
  const auto besides = [&](int row, const QString& title, QWidget* field) {
    auto* right = new QHBoxLayout;
    right->setSpacing(kGap);
    right->addWidget(labelOf(title, field));
    right->addWidget(field, 1);
    layout->addLayout(right, row, 2);
    return right;
  };
  layout->addWidget(labelOf(tr("&Actors"), count_), 0, 0);
  layout->addWidget(count_, 0, 1);
  besides(0, tr("&Formation"), formation_);
  layout->addWidget(labelOf(tr("&Spacing"), spacing_), 1, 0);
  layout->addWidget(spacing_, 1, 1);
  besides(1, tr("See&d"), seed_)->addWidget(dice);
}

void SpawnBar::reseed() {
  seed_->setValue((seed_->value() * 31 + 17) % 99991);
}

void SpawnBar::setFormation(Formation formation) {
  formation_->setCurrentIndex(formation_->findData(int(formation)));
  spawn(tr("Formation"));
}

void SpawnBar::focusCount() {
  count_->setFocus(Qt::ShortcutFocusReason);
  count_->selectAll();
}

void SpawnBar::show(const SpawnSettings& spawn) {
  const QSignalBlocker blockCount(count_);
  const QSignalBlocker blockFormation(formation_);
  const QSignalBlocker blockSpacing(spacing_);
  const QSignalBlocker blockSeed(seed_);
  count_->setValue(spawn.count);
  formation_->setCurrentIndex(formation_->findData(int(spawn.formation)));
  spacing_->setValue(spawn.spacingMeters);
  seed_->setValue(int(std::min<std::uint64_t>(spawn.seed, 999999)));
  setEnabled(session_.character() && !clipsOf(document_.project(), 0).empty());
}

void SpawnBar::spawn(const QString& text) {
  if (!session_.character()) return;
  SpawnSettings next = document_.project().spawn;
  next.count = count_->value();
  next.formation = Formation(formation_->currentData().toInt());
  next.spacingMeters = spacing_->value();
  next.seed = std::uint64_t(seed_->value());
  const Project& before = document_.project();
  std::vector<Actor> actors = dealt(before, session_, next);
  // A new seed replaces all actors. Other changes keep the existing actors' settings and only move
  // them.
  const bool keeps = next.seed == before.spawn.seed;
  for (std::size_t i = 0; keeps && i < std::min(actors.size(), before.actors.size()); ++i) {
    Actor kept = before.actors[i];
    kept.position = actors[i].position;
    kept.rotationDegrees = actors[i].rotationDegrees;
    actors[i] = kept;
  }
  document_.edit(
      text,
      [&](Project& project) {
        project.spawn = next;
        project.actors = ActorList(actors);
      },
      QStringLiteral("spawn/") + text);
}

}  // namespace ck::ui
