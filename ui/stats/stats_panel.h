#pragma once

#include <QElapsedTimer>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "render/frame/frame_stats.h"

class QLabel;
class QTableWidget;
class QTableWidgetItem;
class QTimer;
class QToolButton;

namespace ck::ui {

class FrameGraph;
class LevelsPage;

// The cost of frames: a row per pass with CPU and GPU time, a graph of recent frames, and the
// figures of the last frame; the error of what is drawn; and its levels of detail. Times are
// averaged over a quarter of a second to be readable.
class StatsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit StatsPanel(QWidget* parent = nullptr);

  void setRenderer(const render::ContextFacts& facts);
  // The names of the characters, and how much detail is asked for.
  void setProject(const QStringList& characterNames, const DetailSettings& detail);
  // Adds a frame; it is shown with the next refresh.
  void addFrame(const render::FrameStats& stats);
  // Forgets all frames: what was drawn is gone.
  void clear();
  // Shows the error of the reading that is drawn; null if it is not known. Its maxima are judged by
  // the limits, as the panel Bake does; where a limit is 0, there is no verdict. `whose`: the title
  // of the character, empty where the project has no other.
  void setError(const BakeError* error, Reading drawn, const ErrorLimits& limits = {},
                const QString& whose = {});
  QTableWidget& errorTable() { return *errors_; }
  LevelsPage& levels() { return *levels_; }
  // The text that the button copies: the last frame's figures with the averaged times. Empty before
  // the first frame.
  QString csv() const;

 signals:
  // A worst place was clicked.
  void worstAsked(const ck::ErrorFigure& figure);

 public slots:
  void refresh();

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void copy();
  void showPasses();
  void showFigures();
  static void judge(QTableWidgetItem& item, double value, double limit);

  render::ContextFacts facts_;
  std::vector<render::FrameStats> frames_;  // since the last refresh
  render::FrameStats shown_;                // the last frame, with the mean times of the refresh
  std::size_t meanUploadedBytes_ = 0;
  QElapsedTimer sinceRefresh_;
  QLabel* title_;
  QLabel* software_;
  QToolButton* copy_;
  QTableWidget* passes_;
  QTableWidget* figures_;
  QTableWidget* errors_;
  FrameGraph* graph_;
  LevelsPage* levels_;
  QTimer* late_;
  QStringList characterNames_;
  DetailSettings detail_;
  std::vector<ErrorFigure> shownErrors_;  // one per row of errors_
};

}  // namespace ck::ui
