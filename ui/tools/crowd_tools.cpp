#include "ui/tools/crowd_tools.h"

#include <QKeyEvent>
#include <algorithm>

#include "ui/document/session.h"
#include "ui/tools/brush_bar.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

constexpr int kMargin = 12;
// Above the badge of a software renderer.
constexpr int kBelow = 46;

// Keys that a tool takes before the window's actions do.
bool isToolKey(int key, bool draws) {
  switch (key) {
    case Qt::Key_Escape:
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
      return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return draws;
    default:
      return false;
  }
}

}  // namespace

CrowdTools::CrowdTools(Document& document, const Session& session, const Playback& playback,
                       Selection& selection, ViewportWidget& view, QObject* parent)
    : QObject(parent),
      view_(view),
      brush_(document, session, playback, selection),
      path_(document, session, selection),
      bar_(new BrushBar(brush_, document, &view)) {
  bar_->hide();
  view.installEventFilter(this);
  connect(&brush_, &BrushTool::ended, this, [this] { setBrushing(false); });
  connect(&path_, &PathTool::ended, this, [this] { setDrawing(false); });
  connect(&view, &ViewportWidget::toolChanged, this, &CrowdTools::showTool);
  connect(&brush_, &BrushTool::walkersPlaced, this, &CrowdTools::walkersPlaced);
  connect(&path_, &PathTool::walkersPlaced, this, &CrowdTools::walkersPlaced);
  connect(&session, &Session::rigsChanged, this, [this, &session] {
    if (session.hasRig()) return;
    setBrushing(false);
    setDrawing(false);
  });
}

CrowdTools::~CrowdTools() = default;

void CrowdTools::use(ViewportTool& tool, bool on) {
  const bool mine = view_.tool() == &brush_ || view_.tool() == &path_;
  if (on) {
    if (!mine) before_ = view_.tool();
    view_.setTool(&tool);
    view_.setFocus();
  } else if (view_.tool() == &tool) {
    tool.cancel();
    view_.setTool(before_);
  }
}

void CrowdTools::showTool() {
  const bool brushes = view_.tool() == &brush_;
  const bool draws = view_.tool() == &path_;
  bar_->setVisible(brushes);
  if (brushes) placeBar();
  emit brushing(brushes);
  emit drawing(draws);
}

void CrowdTools::placeBar() {
  bar_->adjustSize();
  const int x = std::max(kMargin, (view_.width() - bar_->width()) / 2);
  bar_->move(x, std::max(kMargin, view_.height() - bar_->height() - kBelow));
}

bool CrowdTools::eventFilter(QObject* watched, QEvent* event) {
  const bool mine = view_.tool() == &brush_ || view_.tool() == &path_;
  if (event->type() == QEvent::Resize) {
    placeBar();
  } else if (mine && event->type() == QEvent::ShortcutOverride) {
    if (isToolKey(static_cast<QKeyEvent*>(event)->key(), view_.tool() == &path_)) {
      event->accept();
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace ck::ui
