#include "ui/tools/brush_bar.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/project/actors/spawn.h"
#include "core/project/characters.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"
#include "ui/tools/brush_tool.h"

namespace ck::ui {
namespace {

constexpr int kChoiceWidth = 110;

QString modeTip(BrushMode mode) {
  const QString tips[] = {
      BrushBar::tr("Place actors where there is room; Shift erases"),
      BrushBar::tr("Erase actors"),
      BrushBar::tr("Turn actors the way the stroke goes"),
      BrushBar::tr("Vary actors: give them other random values"),
  };
  return tips[int(mode)];
}

QString strengthTip(BrushMode mode) {
  const QString tips[] = {
      BrushBar::tr("How full the circle becomes; nobody comes nearer than the crowd's spacing"),
      BrushBar::tr("The share of the actors that a stroke erases"),
      BrushBar::tr("How far actors turn each time"),
      BrushBar::tr("The share of the actors that a stroke varies"),
  };
  return tips[int(mode)];
}

// Replaces the items of a box: their names and values.
void fill(QComboBox& box, const QList<std::pair<QString, int>>& items) {
  QList<std::pair<QString, int>> now;
  for (int i = 0; i < box.count(); ++i) now << std::pair(box.itemText(i), box.itemData(i).toInt());
  if (now == items) return;
  const QSignalBlocker blocker(box);
  box.clear();
  for (const auto& [name, value] : items) box.addItem(name, value);
}

void choose(QComboBox& box, int value) {
  const QSignalBlocker blocker(box);
  box.setCurrentIndex(std::max(0, box.findData(value)));
}

template <class Box, class Value>
void showValue(Box& box, Value value) {
  const QSignalBlocker blocker(box);
  box.setValue(value);
}

}  // namespace

BrushBar::BrushBar(BrushTool& tool, Document& document, QWidget* parent)
    : QFrame(parent),
      tool_(tool),
      document_(document),
      radius_(named(numberBox(0.1, 100.0, 0.25, tr(" m")), tr("Radius of the brush"),
                    tr("Radius of the brush: [ and ] change it"))),
      strength_(named(wholeBox(1, 100, 5), tr("Strength of the brush"))),
      needs_(new QStackedWidget),
      character_(named(new QComboBox, tr("Character to place"), tr("Character to place"))),
      clip_(named(new QComboBox, tr("Clip to place"), tr("Clip of the placed actors"))),
      offset_(named(new QCheckBox(tr("Offset")), tr("Vary offsets"),
                    tr("Gives every actor another offset in its clip"))),
      tint_(
          named(new QCheckBox(tr("Tint")), tr("Vary tints"), tr("Gives every actor another tint"))),
      rate_(named(wholeBox(0, 90, 5), tr("Spread of rates"),
                  tr("Rates come from 1 less this to 1 plus this; 0: rates stay"))),
      size_(named(wholeBox(0, 90, 5), tr("Spread of sizes"),
                  tr("Sizes come from 1 less this to 1 plus this; 0: sizes stay"))) {
  setObjectName(QStringLiteral("toolOptions"));
  // A press beside the fields is none on the view.
  setAttribute(Qt::WA_NoMousePropagation);
  setCursor(Qt::ArrowCursor);
  setAccessibleName(tr("Brush"));
  for (QSpinBox* box : {strength_, rate_, size_}) box->setSuffix(tr(" %"));
  rate_->setPrefix(tr("Rate ±"));
  size_->setPrefix(tr("Size ±"));
  // The bar is to fit over a view between panels.
  for (QAbstractSpinBox* box : QList<QAbstractSpinBox*>{radius_, strength_, rate_, size_}) {
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  }
  for (QComboBox* box : {character_, clip_}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumWidth(kChoiceWidth);
  }
  const BrushSettings usual;
  numberFieldOf(radius_)->setDefaultNumber(usual.radiusMeters);
  numberFieldOf(strength_)->setDefaultNumber(usual.strength * 100.0);
  numberFieldOf(rate_)->setDefaultNumber(usual.rateSpread * 100.0);
  numberFieldOf(size_)->setDefaultNumber(usual.sizeSpread * 100.0);
  layOut();
  connect(radius_, &QDoubleSpinBox::valueChanged, this, [this](double meters) {
    change([meters](BrushSettings& s) { s.radiusMeters = meters; });
  });
  connect(strength_, &QSpinBox::valueChanged, this, [this](int percent) {
    change([percent](BrushSettings& s) { s.strength = percent / 100.0; });
  });
  connect(rate_, &QSpinBox::valueChanged, this, [this](int percent) {
    change([percent](BrushSettings& s) { s.rateSpread = percent / 100.0; });
  });
  connect(size_, &QSpinBox::valueChanged, this, [this](int percent) {
    change([percent](BrushSettings& s) { s.sizeSpread = percent / 100.0; });
  });
  connect(offset_, &QCheckBox::clicked, this,
          [this](bool on) { change([on](BrushSettings& s) { s.varyOffset = on; }); });
  connect(tint_, &QCheckBox::clicked, this,
          [this](bool on) { change([on](BrushSettings& s) { s.varyTint = on; }); });
  connect(character_, &QComboBox::activated, this, [this] {
    const int character = character_->currentData().toInt();
    change([character](BrushSettings& s) {
      s.character = character;
      s.clip = -1;
    });
  });
  connect(clip_, &QComboBox::activated, this, [this] {
    const int clip = clip_->currentData().toInt();
    change([clip](BrushSettings& s) {
      s.clip = clip;
      if (clip >= 0 && s.character < 0) s.character = 0;
    });
  });
  connect(&tool, &BrushTool::settingsChanged, this, &BrushBar::showState);
  follow(*this, document, [this](const Project&) { showState(); });
}

void BrushBar::layOut() {
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(2);
  for (const BrushMode mode : kBrushModes) {
    QToolButton* button = iconButton(QLatin1String(brushModeIcon(mode)), modeTip(mode),
                                     tr("Brush: %1").arg(brushModeTitle(mode)));
    button->setCheckable(true);
    button->setAutoExclusive(true);
    connect(button, &QToolButton::clicked, this,
            [this, mode] { change([mode](BrushSettings& s) { s.mode = mode; }); });
    modes_ << button;
    buttons->addWidget(button);
  }
  QToolButton* close = iconButton("x", tr("Leave the brush (P or Esc)"), tr("Leave the brush"));
  connect(close, &QToolButton::clicked, &tool_, &BrushTool::ended);
  auto* row = rowOf({buttons, labelFor(radius_, tr("Radius")), radius_,
                     labelFor(strength_, tr("Strength")), strength_, needs_, close},
                    7);
  needs_->addWidget(rowWidget({character_, clip_, {}}));
  needs_->addWidget(rowWidget({offset_, tint_, rate_, size_, {}}));
  row->setContentsMargins(8, 5, 6, 5);
  setLayout(row);
}

template <class Change>
void BrushBar::change(Change change) {
  BrushSettings settings = tool_.settings();
  change(settings);
  tool_.setSettings(settings);
}

// Fills the choices: the characters, and the clips that are dealt.
void BrushBar::fillChoices() {
  const Project& project = document_.project();
  const BrushSettings& settings = tool_.settings();
  QList<std::pair<QString, int>> characters{{tr("By shares"), -1}};
  for (int c = 0; c < characterCount(project); ++c) {
    characters << std::pair(nameText(characterTitle(project, c)), c);
  }
  fill(*character_, characters);
  QList<std::pair<QString, int>> clips{{tr("Any clip"), -1}};
  const int character = std::max(settings.character, 0);
  if (character < characterCount(project)) {
    const std::vector<ProjectClip>& all = clipsOf(project, character);
    const std::vector<SpawnPart> parts = spawnParts(project, {});
    for (const int clip : parts[std::size_t(character)].clips) {
      clips << std::pair(nameText(titleOf(all[std::size_t(clip)])), clip);
    }
  }
  fill(*clip_, clips);
  choose(*character_, settings.character);
  choose(*clip_, settings.clip);
}

void BrushBar::showState() {
  // A character may have been removed.
  if (tool_.settings().character >= characterCount(document_.project())) {
    return change([](BrushSettings& s) { s.character = s.clip = -1; });
  }
  const BrushSettings& settings = tool_.settings();
  const BrushMode mode = settings.mode;
  modes_[int(mode)]->setChecked(true);
  showValue(*radius_, settings.radiusMeters);
  showValue(*strength_, int(std::lround(settings.strength * 100.0)));
  strength_->setToolTip(strengthTip(mode));
  showValue(*rate_, int(std::lround(settings.rateSpread * 100.0)));
  showValue(*size_, int(std::lround(settings.sizeSpread * 100.0)));
  offset_->setChecked(settings.varyOffset);
  tint_->setChecked(settings.varyTint);
  fillChoices();
  const bool many = characterCount(document_.project()) > 1;
  const bool places = mode == BrushMode::Place;
  character_->setEnabled(places && many);
  clip_->setEnabled(places && (!many || settings.character >= 0));
  needs_->setCurrentIndex(mode == BrushMode::Vary ? 1 : 0);
}

}  // namespace ck::ui
