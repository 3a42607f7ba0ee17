#include "ui/atlas_view/atlas_panel.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScreen>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "core/atlas/atlas_layout.h"
#include "core/atlas/atlas_map.h"
#include "core/project/characters.h"
#include "ui/atlas_view/atlas_canvas.h"
#include "ui/atlas_view/atlas_readout.h"
#include "ui/bake/bake_panel.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// With more clips than this, separator lines are hidden.
constexpr std::size_t kMostMarkers = 200;
// From this width on, and if the panel is not tall, the list is beside the texture instead of
// below.
constexpr int kWideEnough = 540;
// From this width on, both groups of controls fit side by side.
constexpr int kOneLine = 500;
constexpr int kSideWidth = 290;
constexpr int kLowPanel = 136;
constexpr QSize kWindowSize(1100, 760);

QLabel* line(const QString& name) {
  auto* label = named(styledLabel("figures"), name);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  // Long names are elided; the tool tip has the full name.
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  label->setMinimumHeight(label->fontMetrics().height());
  return label;
}

void say(QLabel& label, const QString& text) {
  label.setText(text);
  label.setToolTip(text);
}

// Right or left of another window where the screen has room, else over its middle.
QPoint placeBeside(const QRect& other, const QWidget& window) {
  const QRect room = window.screen()->availableGeometry();
  const QSize size = window.size();
  const int top = std::max(room.top(), other.center().y() - size.height() / 2);
  if (other.right() + size.width() <= room.right()) return {other.right() + 1, top};
  if (other.left() - size.width() >= room.left()) return {other.left() - size.width(), top};
  return {std::max(room.left(), other.center().x() - size.width() / 2), top};
}

double unusedShare(const Atlas& atlas) {
  double used = 0.0;
  for (const AtlasClip& clip : atlas.clips) used += double(clip.frameCount) * atlas.shape.block.y;
  return 1.0 - used / (double(atlasWidth(atlas)) * atlasHeight(atlas));
}

// The stored frame that a clip shows, fractional and counted through the atlas.
double shownFrame(const CrowdClip& clip, double unit) {
  const FramePair pair = framesAt(unit, frameGridOf(clip));
  return clip.firstFrame + pair.frame0 + pair.alpha;
}

}  // namespace

AtlasPanel::AtlasPanel(const Document& document, const Session& session, const Playback& playback,
                       const Selection& selection, QWidget* parent, Qt::WindowFlags flags)
    : QWidget(parent, flags),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection),
      canvas_(new AtlasCanvas),
      low_(makeLimit(tr("Value shown as black"), 0.0)),
      high_(makeLimit(tr("Value shown at full brightness"), 1.0)),
      where_(line(tr("What the texel holds"))),
      value_(line(tr("Its value"))),
      raw_(line(tr("Its four channels as stored"))),
      layout_(new QBoxLayout(QBoxLayout::TopToBottom, this)),
      bars_(new QBoxLayout(QBoxLayout::LeftToRight)),
      side_(new QWidget),
      isApart_(flags.testFlag(Qt::Window)) {
  setObjectName(QStringLiteral("panel"));
  bars_->setSpacing(6);
  bars_->addLayout(makeChannelBar());
  bars_->addLayout(makeRangeBar());
  layOutColumn(*side_, {}, 2, {bars_, where_, value_, raw_, {}})->insertSpacing(1, 2);
  layout_->setContentsMargins(8, 5, 8, 6);
  layout_->setSpacing(6);
  layout_->addWidget(canvas_, 1);
  layout_->addWidget(side_);
  connect(canvas_, &AtlasCanvas::doubleClicked, this, &AtlasPanel::openWindow);
  connect(&fitting_, &TaskRunner::failed, this,
          [this](const Error& error) { emit noticed(errorNotice(error)); });
  connect(canvas_, &AtlasCanvas::cursorMoved, this, &AtlasPanel::showReadout);
  canvas_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(canvas_, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
    QMenu* menu = makeMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(canvas_->mapToGlobal(place));
  });
  connect(&session, &Session::rigsChanged, this, &AtlasPanel::showAtlas);
  connect(&session, &Session::changed, this, &AtlasPanel::follow);
  connect(&playback, &Playback::shownCharacterChanged, this, &AtlasPanel::showAtlas);
  connect(&playback, &Playback::timeChanged, this, &AtlasPanel::showMarkers);
  connect(&playback, &Playback::shownClipChanged, this, &AtlasPanel::showMarkers);
  const auto reselect = [this] {
    selectedVisible_ = playback_.visibleOf(selection_.actors());
    if (selectedVisible_.size() > kMostMarkers) selectedVisible_.resize(kMostMarkers);
    showMarkers();
  };
  connect(&selection, &Selection::changed, this, reselect);
  connect(&playback, &Playback::crowdChanged, this, reselect);
  setLook(canvas_->look());
  reselect();
  showAtlas();
}

AtlasPanel::~AtlasPanel() {
  delete apart_;
}

QToolButton* AtlasPanel::makeButton(const QString& text, const QString& name, const QString& tip) {
  auto* button = named(new QToolButton, name, tip);
  button->setText(text);
  button->setObjectName(QStringLiteral("letters"));
  return button;
}

QDoubleSpinBox* AtlasPanel::makeLimit(const QString& name, double usual) {
  auto* box = named(numberBox(-1e6, 1e6, 0.05), name, name);
  box->setDecimals(3);
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  numberFieldOf(box)->setDefaultNumber(usual);
  box->setFixedWidth(74);
  box->findChild<QLineEdit*>()->setAccessibleName(name);
  connect(box, &QDoubleSpinBox::valueChanged, this,
          [this] { setRange(float(low_->value()), float(high_->value())); });
  return box;
}

QBoxLayout* AtlasPanel::makeChannelBar() {
  Cells cells;
  const QStringList letters{tr("R"), tr("G"), tr("B"), tr("A")};
  const QStringList names{tr("Red"), tr("Green"), tr("Blue"), tr("Alpha")};
  for (int channel = 0; channel < 4; ++channel) {
    QToolButton* button = makeButton(
        letters[channel], names[channel],
        tr("%1: click shows or hides it, right click shows it alone").arg(names[channel]));
    button->setCheckable(true);
    button->installEventFilter(this);
    connect(button, &QToolButton::clicked, this,
            [this, channel] { setLook(toggled(canvas_->look(), channel)); });
    channels_[std::size_t(channel)] = button;
    cells.emplace_back(button);
  }
  QToolButton* rgb = makeButton(tr("RGB"), tr("All colours"), tr("Red, green and blue together"));
  connect(rgb, &QToolButton::clicked, this, [this] {
    AtlasLook look = canvas_->look();
    look.channels = AtlasLook().channels;
    setLook(look);
  });
  cells.push_back(rgb);
  cells.push_back({});
  for (QToolButton* button : makeViewButtons()) cells.emplace_back(button);
  return rowOf(cells, 2);
}

QBoxLayout* AtlasPanel::makeRangeBar() {
  QToolButton* fit = makeButton(tr("Fit"), tr("Fit the range"),
                                tr("Black to white over the values that the shown channels have"));
  connect(fit, &QToolButton::clicked, this, &AtlasPanel::fitRange);
  QToolButton* reset = makeButton(tr("0-1"), tr("Range from 0 to 1"), tr("Range from 0 to 1"));
  connect(reset, &QToolButton::clicked, this, [this] { setRange(0.0f, 1.0f); });
  return rowOf({low_, high_, fit, reset, {}}, 2);
}

QList<QToolButton*> AtlasPanel::makeViewButtons() {
  QToolButton* clips =
      iconButton("layers", tr("Show where the clips lie"), tr("Names of the clips"));
  clips->setCheckable(true);
  clips->setChecked(true);
  connect(clips, &QToolButton::toggled, canvas_, &AtlasCanvas::setClipsVisible);
  QToolButton* all = iconButton("maximize",
                                tr("Show the whole atlas (F). Wheel or +/-: zoom. Drag: pan. "
                                   "Arrows: move from texel to texel. Click: keep a texel"),
                                tr("Whole atlas"));
  connect(all, &QToolButton::clicked, canvas_, &AtlasCanvas::showAll);
  if (isApart_) return {clips, all};
  QToolButton* apart = iconButton(
      "external-link", tr("Open the atlas in a window of its own (double click on the texture)"),
      tr("Atlas in a window"));
  connect(apart, &QToolButton::clicked, this, &AtlasPanel::openWindow);
  return {clips, all, apart};
}

void AtlasPanel::openWindow() {
  if (isApart_) return;
  if (!apart_) {
    apart_ = new AtlasPanel(document_, session_, playback_, selection_, window(), Qt::Tool);
    apart_->setAttribute(Qt::WA_DeleteOnClose);
    apart_->setWindowTitle(tr("Atlas"));
    apart_->resize(kWindowSize.boundedTo(0.9 * screen()->availableSize()));
    connect(apart_, &AtlasPanel::noticed, this, &AtlasPanel::noticed);
    connect(apart_, &AtlasPanel::frameAsked, this, &AtlasPanel::frameAsked);
    connect(apart_, &AtlasPanel::playAsked, this, &AtlasPanel::playAsked);
    apart_->setLook(canvas_->look());
  }
  if (!apart_->isVisible()) apart_->move(placeBeside(window()->frameGeometry(), *apart_));
  apart_->show();
  apart_->raise();
  apart_->activateWindow();
}

void AtlasPanel::setLook(const AtlasLook& look) {
  canvas_->setLook(look);
  for (std::size_t channel = 0; channel < channels_.size(); ++channel) {
    channels_[channel]->setChecked(look.channels[channel]);
  }
  const QSignalBlocker quietLow(low_);
  const QSignalBlocker quietHigh(high_);
  low_->setValue(double(look.low));
  high_->setValue(double(look.high));
}

void AtlasPanel::setRange(float low, float high) {
  AtlasLook look = canvas_->look();
  look.low = low;
  look.high = high;
  setLook(look);
}

// An atlas may have a hundred million texels, so this runs in the background.
void AtlasPanel::fitRange() {
  const AtlasPtr atlas = this->atlas();
  if (!atlas) return;
  fitting_.start(QStringLiteral("fit"), tr("Measuring the range"),
                 [this, atlas](JobContext) -> TaskRunner::Deliver {
                   return [this, atlas, bounds = channelBounds(*atlas)] {
                     if (atlas != this->atlas()) return;
                     float low = std::numeric_limits<float>::max();
                     float high = std::numeric_limits<float>::lowest();
                     for (int channel = 0; channel < 4; ++channel) {
                       if (!canvas_->look().channels[std::size_t(channel)]) continue;
                       low = std::min(low, bounds.low[channel]);
                       high = std::max(high, bounds.high[channel]);
                     }
                     setRange(low, high);
                   };
                 });
}

AtlasPtr AtlasPanel::atlas() const {
  return session_.atlas(playback_.shownCharacter());
}

// Ignore changes of other characters.
void AtlasPanel::follow() {
  if (atlas() == canvas_->atlas()) {
    showReadout();
  } else {
    showAtlas();
  }
}

void AtlasPanel::showAtlas() {
  canvas_->setAtlas(atlas());
  showMarkers();
  showReadout();
}

void AtlasPanel::showMarkers() {
  const AtlasPtr atlas = this->atlas();
  if (!atlas || !isVisible()) return;
  std::vector<AtlasMarker> markers;
  const MixedCrowd* crowd = playback_.crowd();
  for (const std::uint32_t visible : selectedVisible_) {
    if (!crowd || visible >= crowd->size()) continue;
    const ActorPlace place = crowd->placeOf(visible);
    if (session_.atlas(int(place.character)) != atlas) continue;
    const Crowd& own = crowd->crowdOf(visible);
    const CrowdClip& clip = own.clips()[std::size_t(own.clipOf(place.index))];
    if (clip.atlasClip < 0) continue;
    markers.push_back({shownFrame(clip, own.unitOf(place.index)), true});
  }
  const auto shown = playback_.shownClip();
  if (shown && shown->baked && crowd) {
    // The clips of a character's crowd have the order of clipsOf().
    const auto clip = std::size_t(playback_.shownIndex());
    const auto character = std::size_t(playback_.shownCharacter());
    const auto clips = character < crowd->crowds().size() ? crowd->crowds()[character].clips()
                                                          : std::span<const CrowdClip>();
    if (clip < clips.size() && clips[clip].atlasClip >= 0) {
      const double unit = playback_.shownFrame() / std::max(1, shown->frameCount - 1);
      markers.push_back({shownFrame(clips[clip], unit), false});
    }
  }
  canvas_->setMarkers(std::move(markers));
}

// Without a texel under the cursor, shows information about the atlas.
void AtlasPanel::showReadout() {
  const AtlasPtr atlas = this->atlas();
  AtlasReadout readout;
  if (atlas && canvas_->cursorTexel()) {
    readout = atlasReadout(*atlas, *canvas_->cursorTexel());
    if (!readout.raw.isEmpty()) readout.raw = tr("stored %1").arg(readout.raw);
  } else if (atlas) {
    const EncodingInfo& info = encodingInfo(atlas->recipe);
    readout.where = tr("%1 x %2 texels, %3")
                        .arg(atlasWidth(*atlas))
                        .arg(atlasHeight(*atlas))
                        .arg(textOf(texelFormatName(info.format)));
    const Project& project = document_.project();
    if (characterCount(project) > 1) {
      readout.where.prepend(nameText(characterTitle(project, playback_.shownCharacter())) +
                            tr(": "));
    }
    readout.value =
        tr("%1 in %2, %3, %4 % unused")
            .arg(textOf(info.name), textOf(layoutKindName(atlas->recipe.layout)),
                 sizeText(atlas->texels.size()), fixedText(100.0 * unusedShare(*atlas), 0));
    readout.raw = tr("Point at a texel to read it");
  }
  say(*where_, readout.where);
  say(*value_, readout.value);
  say(*raw_, readout.raw);
}

// The clip of the shown character that an atlas holds under this number; -1 if there is none.
int AtlasPanel::clipOf(int atlasClip) const {
  const MixedCrowd* crowd = playback_.crowd();
  const auto character = std::size_t(playback_.shownCharacter());
  if (!crowd || character >= crowd->crowds().size()) return -1;
  const auto clips = crowd->crowds()[character].clips();
  const auto found = std::ranges::find(clips, atlasClip, &CrowdClip::atlasClip);
  return found == clips.end() ? -1 : int(found - clips.begin());
}

QMenu* AtlasPanel::makeMenu() {
  auto* menu = new QMenu(this);
  menu->setToolTipsVisible(true);
  const AtlasPtr atlas = this->atlas();
  const auto texel = canvas_->cursorTexel();
  const auto place =
      atlas && texel ? texelPlaceAt(*atlas, texel->x(), texel->y()) : std::optional<TexelPlace>();
  const auto add = [menu](const QString& text, const QString& whyNot, auto* context, auto run) {
    QAction* action = menu->addAction(text, context, run);
    action->setEnabled(whyNot.isEmpty());
    action->setToolTip(whyNot);
    return action;
  };
  const QString none = !atlas   ? tr("Bake first")
                       : !texel ? tr("Point at a texel first")
                                : QString();
  add(tr("Copy what the texel holds"), none, this, [atlas, texel] {
    const AtlasReadout readout = atlasReadout(*atlas, *texel);
    const QStringList lines{readout.where, readout.value, readout.raw};
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
  })->setIcon(icon("copy"));
  const QString empty = none.isEmpty() && !place ? tr("The texel holds no pose") : none;
  const int clip = place ? clipOf(place->clip) : -1;
  const QString lost = empty.isEmpty() && clip < 0 ? tr("The clip is not in the list") : empty;
  QString whereTo = tr("Go to this frame");
  int moment = 0;
  if (place) {
    const AtlasClip& stored = atlas->clips[std::size_t(place->clip)];
    moment = momentOfFrame(place->frame, frameGridOf(stored));
    whereTo = tr("Go to frame %1 of %2").arg(moment).arg(nameText(stored.name));
  }
  add(whereTo, lost, this, [this, clip, moment] { emit frameAsked(clip, moment); });
  add(tr("Copy the joint's name"), empty, this, [atlas, place] {
    QGuiApplication::clipboard()->setText(textOf(atlas->joints[std::size_t(place->joint)].name));
  });
  menu->addSeparator();
  const QString bare = atlas ? QString() : tr("Bake first");
  add(tr("Show the whole atlas"), bare, canvas_, [this] {
    canvas_->showAll();
  })->setIcon(icon("maximize"));
  add(tr("Fit the range"), bare, this, [this] { fitRange(); });
  add(tr("Range from 0 to 1"), bare, this, [this] { setRange(0.0f, 1.0f); });
  return menu;
}

void AtlasPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout_->setDirection(isBeside() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  const bool stacked = isBeside() || width() < kOneLine;
  bars_->setDirection(stacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  side_->setFixedWidth(isBeside() ? kSideWidth : width() - 16);
  const bool low = height() < kLowPanel;
  layout_->setContentsMargins(8, low ? 2 : 5, 8, low ? 2 : 6);
  bars_->setSpacing(low ? 2 : 6);
  // As many lines as there is room for.
  const int texture = isBeside() ? 0 : canvas_->minimumSizeHint().height() + layout_->spacing();
  const QMargins margins = layout_->contentsMargins();
  const int room =
      height() - margins.top() - margins.bottom() - texture - bars_->sizeHint().height();
  int lines = room / (where_->minimumHeight() + 2);
  for (QLabel* line : {where_, value_, raw_}) line->setVisible(lines-- > 0);
  updateGeometry();
}

bool AtlasPanel::isBeside() const {
  return width() >= kWideEnough && height() < width() * 2 / 3;
}

QSize AtlasPanel::minimumSizeHint() const {
  return {280, isBeside() ? 100 : 140};
}

void AtlasPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showMarkers();
}

// Space plays or pauses, except when a button has the focus.
void AtlasPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->modifiers() != Qt::NoModifier) {
    return QWidget::keyPressEvent(event);
  }
  if (!event->isAutoRepeat()) emit playAsked();
}

bool AtlasPanel::eventFilter(QObject* watched, QEvent* event) {
  const auto found = std::find(channels_.begin(), channels_.end(), watched);
  if (found != channels_.end() && event->type() == QEvent::ContextMenu) {
    setLook(soloed(canvas_->look(), int(found - channels_.begin())));
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace ck::ui
