#include "ui/tools/brush_tool.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/crowd/formations.h"
#include "core/project/crowds.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"
#include "ui/viewport/ground_lines.h"

namespace ck::ui {
namespace {

constexpr double kLeastRadius = 0.1;
constexpr double kLargestRadius = 100.0;
constexpr double kResizeStep = 1.2;
// Dabs of a stroke overlap: their distance in radii.
constexpr double kDabStep = 0.35;
constexpr int kMostDabs = 400;  // of one move

const QColor& colorOf(BrushMode mode) {
  switch (mode) {
    case BrushMode::Place:
      return colors::kGood;
    case BrushMode::Erase:
      return colors::kError;
    case BrushMode::Turn:
      return colors::kFocus;
    case BrushMode::Vary:
      break;
  }
  return colors::kWarning;
}

}  // namespace

QString brushModeTitle(BrushMode mode) {
  const QString titles[] = {BrushTool::tr("Place"), BrushTool::tr("Erase"), BrushTool::tr("Turn"),
                            BrushTool::tr("Vary")};
  return titles[int(mode)];
}

const char* brushModeIcon(BrushMode mode) {
  static const char* const kIcons[] = {"brush", "eraser", "navigation", "shuffle"};
  return kIcons[int(mode)];
}

BrushTool::BrushTool(Document& document, const Session& session, const Playback& playback,
                     Selection& selection, QObject* parent)
    : ViewportTool(parent), dealer_(document, session, selection), playback_(playback) {}

void BrushTool::setSettings(const BrushSettings& settings) {
  BrushSettings wanted = settings;
  wanted.radiusMeters = std::clamp(wanted.radiusMeters, kLeastRadius, kLargestRadius);
  if (wanted == settings_) return;
  settings_ = wanted;
  emit settingsChanged();
  emit changed();
}

QString BrushTool::strokeTitle() const {
  const QString titles[] = {tr("Place actors"), tr("Erase actors"), tr("Turn actors"),
                            tr("Vary actors")};
  return titles[int(mode_)];
}

QString BrushTool::strokeKey() const {
  return QStringLiteral("brush/%1").arg(strokes_);
}

// Where the actors are now; those that are not shown, where they are at time 0.
std::vector<glm::dvec2> BrushTool::shownPlaces() const {
  const ActorList& actors = dealer_.document().project().actors;
  std::vector<glm::dvec2> places;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    places.emplace_back(actors[i].position.x, actors[i].position.z);
  }
  const MixedCrowd* crowd = playback_.crowd();
  for (std::size_t visible = 0; crowd && visible < crowd->size(); ++visible) {
    const auto actor = std::size_t(playback_.actorOf(visible));
    const ActorPlace place = crowd->placeOf(visible);
    const gpu::CkPlace& record = crowd->crowds()[place.character].instances().places()[place.index];
    if (actor < places.size()) places[actor] = {record.position.x, record.position.z};
  }
  return places;
}

bool BrushTool::press(const QMouseEvent& event, const ViewProjection& view) {
  if (event.button() != Qt::LeftButton || !dealer_.session().hasRig()) return false;
  const GroundMeshPtr ground = dealer_.ground();
  const auto point = groundPoint(view, event.position(), ground.get());
  if (!point) return false;
  const bool erases = settings_.mode == BrushMode::Place && (event.modifiers() & Qt::ShiftModifier);
  mode_ = erases ? BrushMode::Erase : settings_.mode;
  before_ = dealer_.document().project();
  selected_ = dealer_.selection().actors();
  cast_ = dealer_.session().characters();
  BrushSettings settings = settings_;
  settings.mode = mode_;
  settings.spacingMeters = chosen(before_).spawn.spacingMeters;
  stroke_ = std::make_unique<BrushStroke>(before_, settings, spawnParts(before_, cast_), ground,
                                          ++strokes_, shownPlaces());
  last_ = {point->x, point->z};
  pointer_ = last_;
  ahead_ = glm::dvec2(0.0);
  dealer_.document().endMerge();
  stroke_->dab(last_, ahead_);
  apply();
  return true;
}

void BrushTool::move(const QMouseEvent& event, const ViewProjection& view) {
  setModifiers(event.modifiers());
  const GroundMeshPtr ground = dealer_.ground();
  const auto point = groundPoint(view, event.position(), ground.get());
  pointer_.reset();
  if (point) pointer_ = glm::dvec2(point->x, point->z);
  if (stroke_ && pointer_) strokeTo(*pointer_);
  emit changed();
}

void BrushTool::setModifiers(Qt::KeyboardModifiers held) {
  const bool erases = settings_.mode == BrushMode::Place && (held & Qt::ShiftModifier);
  if (std::exchange(erases_, erases) != erases) emit changed();
}

void BrushTool::strokeTo(const glm::dvec2& place) {
  const glm::dvec2 way = place - last_;
  const double length = glm::length(way);
  const double step = settings_.radiusMeters * kDabStep;
  // A stroke that turns actors needs a way.
  if (length < step) return;
  const int dabs = std::clamp(int(length / step), 1, kMostDabs);
  ahead_ = way / length;
  for (int i = 1; i <= dabs; ++i) stroke_->dab(last_ + way * (double(i) / dabs), ahead_);
  last_ = place;
  apply();
}

void BrushTool::apply() {
  if (stroke_->changed() == 0) return;
  dealer_.document().edit(
      strokeTitle(),
      [this](Project& project) {
        dealer_.selection().carry(project, selected_,
                                  [this](Project& stroked) { stroke_->apply(stroked); });
      },
      strokeKey());
}

void BrushTool::release(const QMouseEvent&, const ViewProjection&) {
  if (!stroke_) return;
  const ActorList& actors = dealer_.document().project().actors;
  bool walks = false;
  for (std::size_t i = before_.actors.size(); i < actors.size(); ++i) {
    walks = walks || actors[i].travels;
  }
  end();
  if (walks) emit walkersPlaced();
}

void BrushTool::end() {
  stroke_.reset();
  cast_.clear();
  before_ = {};
  dealer_.document().endMerge();
  emit changed();
}

void BrushTool::leave() {
  pointer_.reset();
  emit changed();
}

void BrushTool::cancel() {
  if (!stroke_) return;
  if (stroke_->changed() > 0) {
    dealer_.document().takeBack(strokeKey());
    dealer_.selection().set(selected_);
  }
  end();
}

bool BrushTool::key(const QKeyEvent& event) {
  BrushSettings settings = settings_;
  switch (event.key()) {
    case Qt::Key_BracketLeft:
      settings.radiusMeters /= kResizeStep;
      break;
    case Qt::Key_BracketRight:
      settings.radiusMeters *= kResizeStep;
      break;
    case Qt::Key_Escape:
      if (stroke_) {
        cancel();
      } else {
        emit ended();
      }
      return true;
    default:
      return false;
  }
  setSettings(settings);
  return true;
}

void BrushTool::paint(QPainter& painter, const ViewProjection& view) {
  if (!pointer_) return;
  constexpr int kCorners = 48;
  const GroundMeshPtr ground = dealer_.ground();
  const BrushMode mode = stroke_ ? mode_ : erases_ ? BrushMode::Erase : settings_.mode;
  const QColor color = colorOf(mode);
  std::vector<glm::dvec2> circle;
  for (int i = 0; i < kCorners; ++i) {
    circle.push_back(*pointer_ + onCircle(double(i) / kCorners) * settings_.radiusMeters);
  }
  QPolygonF area;
  bool whole = true;
  for (const glm::dvec2& corner : circle) {
    const auto at = view.at(onGround(corner, ground.get()));
    whole = whole && at;
    if (at) area << *at;
  }
  if (whole) {
    QColor fill = color;
    fill.setAlpha(stroke_ ? 60 : 30);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(area);
  }
  paintLines(painter, groundLine(view, circle, true, ground.get()), color, 2.0);
  if (mode != BrushMode::Turn || !(glm::length(ahead_) > 0.0)) return;
  const glm::dvec2 side(ahead_.y, -ahead_.x);
  const double size = settings_.radiusMeters;
  const glm::dvec2 tip = *pointer_ + ahead_ * size;
  const glm::dvec2 arrow[] = {*pointer_ - ahead_ * size, tip,
                              tip - (ahead_ - side * 0.6) * (0.4 * size), tip,
                              tip - (ahead_ + side * 0.6) * (0.4 * size)};
  paintLines(painter, groundLine(view, arrow, false, ground.get()), color, 2.0);
}

}  // namespace ck::ui
