#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <array>
#include <optional>

#include "core/crowd/mixed_crowd.h"
#include "core/view/pose_settings.h"
#include "ui/document/notices.h"

class QLabel;

namespace ck::render {
struct FrameStats;
}

namespace ck::ui {

class Document;
class DropOverlay;
class FirstSteps;
class ErrorLegend;
class NotificationBar;
class Playback;
class Selection;
class Session;
class StartPage;
class ViewCube;
class ViewportWidget;

// "As baked", "Interpolated", "Linear by hardware", "Nearest frame", "Nearest frame, compact".
QString samplingTitle(Sampling sampling);

// The central widget: the viewport with its figures, badge and messages, or, without OpenGL, a text
// with the reason.
class ViewportFrame : public QWidget {
  Q_OBJECT

 public:
  // `whyNoGl` is the result of whyNoOpenGl().
  ViewportFrame(Document& document, Session& session, Playback& playback, Selection& selection,
                const QString& whyNoGl, QWidget* parent = nullptr);

  ViewportWidget* viewport() { return viewport_; }  // null without OpenGL
  NotificationBar& notifications() { return *notifications_; }
  StartPage& startPage() { return *start_; }
  FirstSteps& firstSteps() { return *steps_; }
  DropOverlay& dropOverlay() { return *drop_; }
  ErrorLegend& legend() { return *legend_; }
  void setFiguresVisible(bool shown);
  // Sets the sentence about a file that is being read, or none; shown while there is no rig.
  void setReading(const QString& words);

 signals:
  void rendererNamed(const QString& text);  // "GL 4.5, llvmpipe (LLVM 15.0.6, 256 bits)"

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void placeOverlays();
  void showWithoutRig();
  void setLabel(QLabel& label, const QString& text);
  void showFigures();
  void showSides();
  void placeSide(QLabel& label, int from, int to, bool atEnd);
  void showScale();
  QString cpuWords(const render::FrameStats& stats) const;
  AtlasPtr shownAtlas() const;  // of the shown character
  int shaderFetches() const;
  QString detailText() const;
  QString drawingText() const;
  // Where the error view's worst vertex is; empty while nothing is shown.
  QString worstVertexText() const;
  void addBlendErrors(QString& left, QString& right) const;
  // A visible actor that shows two clips: preferably a selected one, then one of the shown
  // character, then any.
  std::optional<ActorPlace> shownFade() const;
  // A text about the next fade, if no actor fades now.
  QString nextFade() const;

  const Document& document_;
  Session& session_;
  Playback& playback_;
  const Selection& selection_;
  ViewportWidget* viewport_ = nullptr;
  ViewCube* cube_ = nullptr;  // null without OpenGL
  NotificationBar* notifications_;
  QLabel* figures_;
  QLabel* badge_;
  QLabel* empty_;  // why there is no view, or what is being read
  StartPage* start_;
  FirstSteps* steps_;
  DropOverlay* drop_;
  QLabel* left_;  // labels of the two halves of a split view
  QLabel* right_;
  ErrorLegend* legend_;
  std::array<QLabel*, 3> scale_;  // numbers next to the error view's legend, the largest first
  QElapsedTimer sinceFigures_;
  QTimer laterFigures_;
  bool figuresVisible_ = true;
  QString reading_;
};

}  // namespace ck::ui
