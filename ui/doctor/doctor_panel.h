#pragma once

#include <QWidget>
#include <vector>

#include "core/project/clip_doctor.h"
#include "ui/parts/row_model.h"

class QLabel;
class QPushButton;
class QTableView;

namespace ck::ui {

class Examination;
class Playback;

// The findings of the clip doctor, one row each.
class FindingModel : public RowModel {
  Q_OBJECT

 public:
  enum Column { Clip, Finding, Fix };

  explicit FindingModel(Examination& examination, QObject* parent = nullptr);

  const ClipFinding& finding(int row) const { return findings_[std::size_t(row)]; }

 protected:
  QVariant cell(int row, int column, int role) const override;
  Qt::ItemFlags abilities(int, int) const override { return Qt::NoItemFlags; }

 private:
  void follow();

  Examination& examination_;
  std::vector<ClipFinding> findings_;
};

// The findings about the shown character, with a button for each fix and one for all. Choosing a
// finding shows its clip.
class DoctorPanel : public QWidget {
  Q_OBJECT

 public:
  DoctorPanel(Examination& examination, Playback& playback, QWidget* parent = nullptr);

  QTableView& table() { return *table_; }
  FindingModel& model() { return *model_; }
  QPushButton& fixAllButton() { return *fixAll_; }
  // Selects the first finding about a clip.
  void choose(int clip);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showState();
  void placeButtons();

  Examination& examination_;
  Playback& playback_;
  FindingModel* model_;
  QLabel* summary_;
  QLabel* nothing_;
  QPushButton* fixAll_;
  QTableView* table_;
};

}  // namespace ck::ui
