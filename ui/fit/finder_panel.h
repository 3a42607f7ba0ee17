#pragma once

#include <QWidget>

#include "ui/fit/atlas_search.h"
#include "ui/parts/row_model.h"
#include "ui/playback/shown_character.h"

class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace ck::ui {

class FrontPlot;
class Playback;

// The rows of a search: atlases that were baked and measured, by ascending bytes.
class FoundModel : public RowModel {
  Q_OBJECT

 public:
  enum Column { Size, Error, Screen, Fetches, Remark, Settings };

  explicit FoundModel(const AtlasSearch& search, QObject* parent = nullptr);

 protected:
  QVariant cell(int row, int column, int role) const override;
  Qt::ItemFlags abilities(int, int) const override { return Qt::NoItemFlags; }

 private:
  QString remark(std::size_t row) const;

  const AtlasSearch& search_;
};

// The Atlas finder for the shown character: limits, a search in the background, what it found as a
// table and a plot, and what would fit where nothing does. Using a row is one undo step.
class FinderPanel : public QWidget {
  Q_OBJECT

 public:
  FinderPanel(Document& document, const Session& session, const Playback& playback,
              QWidget* parent = nullptr);

  // The next key starts a search.
  void focusSearch();

  AtlasSearch& search() { return search_; }
  QTableView& table() { return *table_; }
  FrontPlot& plot() { return *plot_; }
  QDoubleSpinBox& limitMm() { return *millimetres_; }
  QDoubleSpinBox& limitPixels() { return *pixels_; }
  QDoubleSpinBox& limitKilobytes() { return *kilobytes_; }
  QPushButton& searchButton() { return *start_; }
  QPushButton& useButton() { return *use_; }
  QLabel& words() { return *words_; }

 signals:
  // A search has failed.
  void failed(const ck::Error& error);

 private:
  FitLimits limits() const;
  void startOrStop();
  void useSelected();
  void useAdvice(const QString& link);
  void showState();
  QString stateText() const;
  QString adviceText() const;

  ShownCharacter shown_;
  AtlasSearch search_;
  FoundModel* model_;
  QDoubleSpinBox* millimetres_;
  QDoubleSpinBox* pixels_;
  QDoubleSpinBox* kilobytes_;
  QPushButton* start_;
  QProgressBar* progress_;
  QTableView* table_;
  FrontPlot* plot_;
  QLabel* words_;
  QPushButton* use_;
  bool wasRunning_ = false;  // when the state was shown last
};

}  // namespace ck::ui
