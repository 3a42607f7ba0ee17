#include "ui/panels/spawn_bar.h"

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

#include "core/project/cast.h"
#include "ui/document/cast_session.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {

namespace {

// Actors in formation that play the ticked clips of their characters, or all where none is ticked.
std::vector<Actor> dealt(const Project& project, const CastSession& cast, SpawnSettings& spawn) {
  const std::vector<CharacterPtr> characters = cast.characters();
  const std::vector<SpawnPart> parts = spawnParts(project, characters);
  spawn.clipCount = std::max(1, int(parts.front().clips.size()));
  return spawnCast(parts, spawn);
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
  formation_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  formation_->setMinimumContentsLength(6);
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

  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setHorizontalSpacing(8);
  layout->setVerticalSpacing(6);
  const auto put = [&](int row, int column, const QString& title, QWidget* field) {
    auto* label = new QLabel(title);
    label->setBuddy(field);
    layout->addWidget(label, row, column);
    layout->addWidget(field, row, column + 1);
  };
  put(0, 0, tr("&Actors"), count_);
  put(0, 2, tr("&Formation"), formation_);
  put(1, 0, tr("&Spacing"), spacing_);
  put(1, 2, tr("See&d"), seed_);
  layout->addWidget(dice, 1, 4);
  layout->setColumnStretch(1, 1);
  layout->setColumnStretch(3, 1);

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
  setEnabled(session_.character() && !document_.project().clips.empty());
}

void SpawnBar::spawn(const QString& text) {
  if (!session_.character()) return;
  SpawnSettings next = document_.project().spawn;
  next.count = count_->value();
  next.formation = Formation(formation_->currentData().toInt());
  next.spacingMeters = spacing_->value();
  next.seed = std::uint64_t(seed_->value());
  const Project& before = document_.project();
  std::vector<Actor> actors = dealt(before, session_.cast(), next);
  // Another seed deals everything anew; otherwise actors that are there keep what the artist gave
  // them and only take new places.
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
