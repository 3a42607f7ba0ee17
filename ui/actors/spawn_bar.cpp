#include "ui/actors/spawn_bar.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "core/project/characters.h"
#include "core/project/spawn.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/parts/bind.h"
#include "ui/parts/fold.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {

namespace {

// Width of fields and the gap between them, in pixels.
constexpr int kCountWidth = 88;
constexpr int kNumberWidth = 80;
constexpr int kGap = 6;
constexpr int kLargestSeed = 999999;

}  // namespace

QString formationTitle(Formation formation) {
  const QString titles[] = {SpawnBar::tr("Grid"), SpawnBar::tr("Disc"), SpawnBar::tr("Scatter"),
                            SpawnBar::tr("Circle"), SpawnBar::tr("Path")};
  return titles[int(formation)];
}

SpawnBar::SpawnBar(Document& document, const Session& session, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      count_(named(wholeBox(0, 1000000), tr("Number of actors"),
                   tr("How many actors. Those that are there keep their clips and offsets"))),
      formation_(named(new QComboBox, tr("Formation"))),
      spacing_(named(numberBox(0.05, 1000.0, 0.1, tr(" m")), tr("Spacing"))),
      seed_(named(wholeBox(0, kLargestSeed), tr("Seed"),
                  tr("The same seed gives the same crowd on every machine"))) {
  count_->setGroupSeparatorShown(true);
  for (const Formation formation : kFormations) {
    formation_->addItem(formationTitle(formation), int(formation));
  }
  formation_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  QToolButton* dice = iconButton("dices", tr("Another seed (Ctrl+R)"), tr("Another seed"));
  layOut(dice);
  bindNumber(
      *count_, document, tr("Number of actors"), [](const Project& p) { return p.spawn.count; },
      [this](Project& p, int count) { spawn(p, &SpawnSettings::count, count); });
  bindNumber(
      *spacing_, document, tr("Spacing"), [](const Project& p) { return p.spawn.spacingMeters; },
      [this](Project& p, double meters) { spawn(p, &SpawnSettings::spacingMeters, meters); });
  bindNumber(
      *seed_, document, tr("Seed"),
      [](const Project& p) { return int(std::min<std::uint64_t>(p.spawn.seed, kLargestSeed)); },
      [this](Project& p, int seed) { spawn(p, &SpawnSettings::seed, std::uint64_t(seed)); });
  connect(formation_, &QComboBox::activated, this,
          [this] { setFormation(Formation(formation_->currentData().toInt())); });
  connect(dice, &QToolButton::clicked, this, &SpawnBar::reseed);
  connect(&document, &Document::changed, this, &SpawnBar::showState);
  connect(&session, &Session::characterChanged, this, &SpawnBar::showState);
  showState();
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
  layout->addWidget(labelFor(count_, tr("&Actors")), 0, 0);
  layout->addWidget(count_, 0, 1);
  layout->addLayout(rowOf({labelFor(formation_, tr("&Formation")), {formation_, 1}}, kGap), 0, 2);
  layout->addWidget(labelFor(spacing_, tr("&Spacing")), 1, 0);
  layout->addWidget(spacing_, 1, 1);
  layout->addLayout(rowOf({labelFor(seed_, tr("See&d")), {seed_, 1}, dice}, kGap), 1, 2);
}

void SpawnBar::reseed() {
  seed_->setValue((seed_->value() * 31 + 17) % 99991);
}

void SpawnBar::setFormation(Formation formation) {
  document_.edit(
      tr("Formation"),
      [&](Project& project) { spawn(project, &SpawnSettings::formation, formation); },
      QStringLiteral("spawn/formation"));
}

void SpawnBar::focusCount() {
  Fold::reveal(*this);
  count_->setFocus(Qt::ShortcutFocusReason);
  count_->selectAll();
}

void SpawnBar::showState() {
  const Project& project = document_.project();
  formation_->setCurrentIndex(formation_->findData(int(project.spawn.formation)));
  setEnabled(session_.character() && !clipsOf(project, 0).empty());
}

template <class Value>
void SpawnBar::spawn(Project& project, Value SpawnSettings::*setting, Value value) const {
  if (!session_.character()) return;
  const std::uint64_t before = project.spawn.seed;
  // The actors play the ticked clips of their characters, or all clips if none is ticked.
  const std::vector<CharacterPtr> characters = session_.characters();
  const std::vector<SpawnPart> parts = spawnParts(project, characters);
  project.spawn.*setting = value;
  project.spawn.clipCount = std::max(1, int(parts.front().clips.size()));
  std::vector<Actor> actors = spawnCrowd(parts, project.spawn);
  const bool keeps = project.spawn.seed == before;
  for (std::size_t i = 0; keeps && i < std::min(actors.size(), project.actors.size()); ++i) {
    Actor kept = project.actors[i];
    kept.position = actors[i].position;
    kept.rotationDegrees = actors[i].rotationDegrees;
    actors[i] = kept;
  }
  project.actors = ActorList(actors);
}

}  // namespace ck::ui
