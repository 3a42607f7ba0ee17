#include "ui/viewport/actor_picker.h"

#include <QMouseEvent>
#include <QRubberBand>
#include <QWidget>
#include <utility>

#include "ui/document/selection.h"
#include "ui/playback/playback.h"

namespace ck::ui {
namespace {

// A press that moves less than this distance is a click.
constexpr int kClickPixels = 4;

}  // namespace

ActorPicker::ActorPicker(QWidget& view, const Playback& playback, Selection& selection, Pick pick)
    : view_(view), playback_(playback), selection_(selection), pick_(std::move(pick)) {}

void ActorPicker::press(const QMouseEvent& event) {
  isPressed_ = event.button() == Qt::LeftButton;
  pressed_ = event.pos();
}

void ActorPicker::move(const QMouseEvent& event) {
  if (!isPressed_) return;
  if (!band_ && (event.pos() - pressed_).manhattanLength() > kClickPixels) {
    band_ = new QRubberBand(QRubberBand::Rectangle, &view_);
    band_->show();
  }
  if (band_) band_->setGeometry(QRect(pressed_, event.pos()).normalized());
}

void ActorPicker::release(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || !std::exchange(isPressed_, false)) return;
  if (!band_) {
    click(event.pos(), event.modifiers());
    return;
  }
  selectBox(takeBox(), event.modifiers());
}

bool ActorPicker::cancel() {
  if (!band_) return false;
  takeBox();
  isPressed_ = false;
  return true;
}

// A view that stands still would show the box for ever.
QRect ActorPicker::takeBox() {
  const QRect box = band_->geometry();
  delete std::exchange(band_, nullptr);
  view_.update();
  return box;
}

void ActorPicker::click(const QPoint& place, Qt::KeyboardModifiers modifiers) {
  const auto hit = pick_({place, QSize(1, 1)});
  if (!hit) return;
  const bool add = modifiers & Qt::ShiftModifier;
  const bool toggle = modifiers & Qt::ControlModifier;
  if (hit->empty()) {
    if (!add && !toggle) selection_.clear();
    return;
  }
  const int actor = playback_.actorOf(hit->front());
  if (toggle) {
    selection_.toggle(actor);
  } else if (add) {
    selection_.add({actor});
  } else {
    selection_.set({actor});
  }
}

void ActorPicker::selectBox(const QRect& box, Qt::KeyboardModifiers modifiers) {
  const auto hit = pick_(box);
  if (!hit) return;
  std::vector<int> inside;
  for (const std::uint32_t visible : *hit) inside.push_back(playback_.actorOf(visible));
  if (modifiers & Qt::ShiftModifier) {
    selection_.add(inside);
  } else if (modifiers & Qt::ControlModifier) {
    selection_.remove(std::move(inside));
  } else {
    selection_.set(std::move(inside));
  }
}

}  // namespace ck::ui
