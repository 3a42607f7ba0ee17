#pragma once

#include <QElapsedTimer>
#include <QWidget>
#include <array>
#include <optional>

#include "core/crowd/mixed_crowd.h"

#include "ui/document/notice.h"

class QLabel;

namespace ck::ui {

class Document;
class NotificationBar;
class Playback;
class Selection;
class Session;
class ViewportWidget;

// The middle of the window: the viewport with its figures, badge and messages on top, or, without
// OpenGL, a text that says why and what still works.
class ViewportFrame : public QWidget {
  Q_OBJECT

 public:
  // `whyNoGl` as whyNoOpenGl() says.
  ViewportFrame(Document& document, Session& session, Playback& playback, Selection& selection,
                const QString& whyNoGl, QWidget* parent = nullptr);

  ViewportWidget* viewport() { return viewport_; }  // null without OpenGL
  NotificationBar& notifications() { return *notifications_; }
  void setFiguresShown(bool shown);

 signals:
  void rendererNamed(const QString& text);  // "GL 4.5, llvmpipe (LLVM 15.0.6, 256 bits)"

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void placeOverlays();
  void showFigures();
  void showSides();
  void showScale();
  void addBlendErrors(QString& left, QString& right) const;
  // Of a visible actor that shows two clips: a selected one, one of the shown character, or any.
  std::optional<ActorPlace> shownFade() const;
  // When somebody fades, for people: where nobody does now.
  QString nextFade() const;
  void showEmptyText();
  void noGraphics(const QString& reason);

  const Document& document_;
  Session& session_;
  Playback& playback_;
  const Selection& selection_;
  ViewportWidget* viewport_ = nullptr;
  NotificationBar* notifications_;
  QLabel* figures_;
  QLabel* badge_;
  QLabel* empty_;
  QLabel* left_;  // what the two halves of a divided view show
  QLabel* right_;
  std::array<QLabel*, 3> scale_;  // figures beside the colours of the error view, the hottest first
  QElapsedTimer sinceFigures_;
  bool figuresShown_ = true;
};

}  // namespace ck::ui
