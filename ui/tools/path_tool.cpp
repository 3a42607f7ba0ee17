#include "ui/tools/path_tool.h"

#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "core/crowd/formations.h"
#include "core/project/crowds.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/theme/theme.h"
#include "ui/viewport/ground_lines.h"

namespace ck::ui {
namespace {

constexpr double kNearPixels = 9.0;   // to a point or a line
constexpr double kClickPixels = 5.0;  // a press that moves less is a click
constexpr double kTolerancePixels = 4.0;
constexpr std::size_t kMostPoints = 5000;
const QString kDragKey = QStringLiteral("path/point");

std::vector<glm::dvec2> inDouble(const std::vector<glm::vec2>& path) {
  std::vector<glm::dvec2> points;
  for (const glm::vec2& point : path) points.emplace_back(point);
  return points;
}

}  // namespace

PathTool::PathTool(Document& document, const Session& session, Selection& selection,
                   QObject* parent)
    : ViewportTool(parent), dealer_(document, session, selection) {
  connect(&document, &Document::changed, this, [this] {
    if (chosen_ && *chosen_ >= spawn().path.size()) chosen_.reset();
    under_.reset();
    emit changed();
  });
}

const SpawnSettings& PathTool::spawn() const {
  return chosen(dealer_.document().project()).spawn;
}

std::optional<glm::vec2> PathTool::groundAt(const QPointF& place,
                                            const ViewProjection& view) const {
  const auto point = groundPoint(view, place, dealer_.ground().get());
  if (!point) return std::nullopt;
  return glm::vec2(float(point->x), float(point->z));
}

std::optional<std::size_t> PathTool::pointAt(const QPointF& place,
                                             const ViewProjection& view) const {
  const GroundMeshPtr ground = dealer_.ground();
  std::optional<std::size_t> nearest;
  double least = kNearPixels;
  for (std::size_t i = 0; i < spawn().path.size(); ++i) {
    const auto at = view.at(onGround(glm::dvec2(spawn().path[i]), ground.get()));
    if (!at || QLineF(*at, place).length() > least) continue;
    least = QLineF(*at, place).length();
    nearest = i;
  }
  return nearest;
}

std::optional<std::size_t> PathTool::legAt(const QPointF& place, const ViewProjection& view) const {
  const std::vector<glm::dvec2> path = inDouble(spawn().path);
  const GroundMeshPtr ground = dealer_.ground();
  const std::size_t legs = path.size() < 2 ? 0 : path.size() - (spawn().pathClosed ? 0 : 1);
  for (std::size_t leg = 0; leg < legs; ++leg) {
    const glm::dvec2 ends[] = {path[leg], path[(leg + 1) % path.size()]};
    for (const QPolygonF& line : groundLine(view, ends, false, ground.get())) {
      for (qsizetype i = 1; i < line.size(); ++i) {
        if (distanceToLine(place, line[i - 1], line[i]) <= kNearPixels) return leg;
      }
    }
  }
  return std::nullopt;
}

void PathTool::change(const QString& text, const CrowdDealer::Change& change, const QString& key) {
  dealer_.edit(
      text,
      [&](SpawnSettings& settings) {
        settings.formation = Formation::Path;
        change(settings);
      },
      key);
}

bool PathTool::press(const QMouseEvent& event, const ViewProjection& view) {
  if (event.button() != Qt::LeftButton || !dealer_.session().hasRig()) return false;
  if (event.type() == QEvent::MouseButtonDblClick) {
    emit ended();
    return true;
  }
  const auto point = groundAt(event.position(), view);
  if (!point) return false;
  pressed_ = event.position();
  moved_ = false;
  chosen_ = pointAt(pressed_, view);
  drag_ = chosen_ ? Drag::Point : Drag::Draw;
  drawn_ = {*point};
  dealer_.document().endMerge();
  emit changed();
  return true;
}

void PathTool::move(const QMouseEvent& event, const ViewProjection& view) {
  pointer_ = groundAt(event.position(), view);
  under_ = pointAt(event.position(), view);
  if (drag_ != Drag::None && QLineF(event.position(), pressed_).length() > kClickPixels) {
    moved_ = true;
  }
  if (moved_ && pointer_ && drag_ == Drag::Point && chosen_) {
    const std::size_t point = *chosen_;
    change(
        tr("Move point of path"),
        [&](SpawnSettings& settings) {
          if (point < settings.path.size()) settings.path[point] = *pointer_;
        },
        kDragKey);
  } else if (drag_ == Drag::Draw && pointer_ && drawn_.size() < kMostPoints) {
    drawn_.push_back(*pointer_);
  }
  emit changed();
}

void PathTool::release(const QMouseEvent& event, const ViewProjection& view) {
  const Drag drag = std::exchange(drag_, Drag::None);
  if (drag == Drag::Draw) {
    moved_ ? addDrawn(view) : clickAt(event.position(), view);
  } else if (drag == Drag::Point && !moved_ && chosen_ == std::size_t{0} &&
             spawn().path.size() > 2 && !spawn().pathClosed) {
    change(tr("Close path"), [](SpawnSettings& settings) { settings.pathClosed = true; });
    emit ended();
  }
  drawn_.clear();
  dealer_.document().endMerge();
  emit changed();
  if (drag != Drag::None && hasPath(spawn()) && hasWalkers()) emit walkersPlaced();
}

// Whether anybody who stands on the path walks.
bool PathTool::hasWalkers() const {
  const ActorList& actors = dealer_.document().project().actors;
  const int crowd = chosenCrowd(dealer_.document().project());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const Actor& actor = actors[i];
    if (actor.travels && !actor.byHand && actor.crowd == crowd) return true;
  }
  return false;
}

// A line that is drawn by hand, as few points as look the same.
void PathTool::addDrawn(const ViewProjection& view) {
  const GroundMeshPtr ground = dealer_.ground();
  const double pixel =
      view.metersPerPixel(onGround(glm::dvec2(drawn_[drawn_.size() / 2]), ground.get()));
  const Path points = simplifiedPath(drawn_, kTolerancePixels * pixel);
  change(tr("Draw path"), [&](SpawnSettings& settings) {
    settings.path.insert(settings.path.end(), points.begin(), points.end());
  });
  chosen_ = spawn().path.size() - 1;
}

void PathTool::clickAt(const QPointF& place, const ViewProjection& view) {
  const auto point = groundAt(place, view);
  if (!point) return;
  const auto leg = legAt(place, view);
  std::size_t index = leg ? *leg + 1 : spawn().path.size();
  change(tr("Add point to path"), [&](SpawnSettings& settings) {
    settings.path.insert(settings.path.begin() + std::ptrdiff_t(index), *point);
  });
  chosen_ = index;
}

void PathTool::removeChosen() {
  if (!chosen_ || *chosen_ >= spawn().path.size()) return;
  const std::size_t point = *chosen_;
  change(tr("Remove point of path"), [point](SpawnSettings& settings) {
    settings.path.erase(settings.path.begin() + std::ptrdiff_t(point));
    if (settings.path.size() < 3) settings.pathClosed = false;
  });
  chosen_.reset();
  if (!spawn().path.empty()) chosen_ = std::min(point, spawn().path.size() - 1);
}

bool PathTool::key(const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      removeChosen();
      return true;
    case Qt::Key_Escape:
      if (drag_ != Drag::None) {
        cancel();
        return true;
      }
      [[fallthrough]];
    case Qt::Key_Return:
    case Qt::Key_Enter:
      emit ended();
      return true;
    default:
      return false;
  }
}

void PathTool::cancel() {
  if (drag_ == Drag::Point && moved_) {
    dealer_.document().takeBack(kDragKey);
  }
  drag_ = Drag::None;
  drawn_.clear();
  dealer_.document().endMerge();
  emit changed();
}

void PathTool::leave() {
  pointer_.reset();
  under_.reset();
  emit changed();
}

void PathTool::paint(QPainter& painter, const ViewProjection& view) {
  const GroundMeshPtr ground = dealer_.ground();
  const SpawnSettings& settings = spawn();
  const std::vector<glm::dvec2> path = inDouble(settings.path);
  paintLines(painter, groundLine(view, path, settings.pathClosed && path.size() > 2, ground.get()),
             colors::kFocus, 2.5);
  if (drag_ == Drag::Draw && drawn_.size() > 1) {
    paintLines(painter, groundLine(view, inDouble(drawn_), false, ground.get()), colors::kGood,
               2.0);
  } else if (!path.empty() && pointer_ && drag_ == Drag::None && !under_ && !settings.pathClosed) {
    const glm::dvec2 next[] = {path.back(), glm::dvec2(*pointer_)};
    paintLines(painter, groundLine(view, next, false, ground.get()), colors::kMuted, 1.5,
               Qt::DashLine);
  }
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto at = view.at(onGround(path[i], ground.get()));
    if (!at) continue;
    const bool big = chosen_ == i || under_ == i;
    painter.setPen(QPen(QColor(0, 0, 0, 160), 1.5));
    painter.setBrush(chosen_ == i ? colors::kWarning : i == 0 ? colors::kGood : Qt::white);
    painter.drawEllipse(*at, big ? 6.5 : 5.0, big ? 6.5 : 5.0);
  }
}

}  // namespace ck::ui
