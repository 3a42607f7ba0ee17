#pragma once

#include <QSortFilterProxyModel>
#include <QString>
#include <string>
#include <utility>
#include <vector>

#include "core/import/clip_fit.h"
#include "ui/parts/row_model.h"

namespace ck::ui {

// The joints of a file that adds clips, one row each, with the joints of the rig that they move.
// Matches are chosen in a draft of the file's fit, which the owner of the model applies.
class MatchModel : public RowModel {
  Q_OBJECT

 public:
  enum Column { Joint, Moves, Matched, Rule, Rest };
  // The value of EditRole in the column Matched for a joint that the rules decide about. A joint
  // that shall move none has an empty text.
  static QVariant byRules() { return {}; }

  explicit MatchModel(QObject* parent = nullptr);

  // Shows a report on a file that was read with `fit`, which becomes the draft. `rig` has the
  // joints that the report's rows index.
  void show(const ClipFitReport& report, const Rig& rig, const ClipFit& fit);
  // Another draft of the same file.
  void setDraft(const ClipFit& draft);
  const ClipFit& draft() const { return draft_; }

  // Names of the rig's joints, parents first.
  QStringList rigJoints() const;
  // The joint of the rig that a row's joint will move; empty if none, or if only reading the file
  // again can tell.
  QString matched(int row) const;
  // Whether a clip moves the row's joint, but nothing of the rig.
  bool isLeftOut(int row) const;
  // "18 of 21 joints that move are matched".
  QString summary() const;
  // The largest angle between matched joints at rest, in degrees, and its joint.
  std::pair<double, QString> largestRest() const;

  // Sets a match: the name of a joint of the rig, "" for none, or byRules(). A joint of the rig has
  // one match at most, so another row may lose its own. Refuses names that the rig does not have.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void draftChanged();

 protected:
  QVariant cell(int row, int column, int role) const override;
  Qt::ItemFlags abilities(int row, int column) const override;

 private:
  const std::string& name(int row) const;
  // The row's entry of the draft, or null.
  const std::string* chosen(int row) const;
  // Whether the rules have not been asked about the row yet.
  bool isOpen(int row) const;
  MatchRule rule(int row) const;
  QString display(int row, int column) const;
  QString explanation(int row, int column) const;
  int movingJoints(bool matchedOnly) const;

  ClipFitReport report_;
  Rig rig_;
  ClipFit read_;  // the fit that the report belongs to
  ClipFit draft_;
};

// The rows of a MatchModel whose joints have a word in their names and, if wished, those that are
// left out only.
class MatchFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit MatchFilter(MatchModel& model, QObject* parent = nullptr);

  void setWord(const QString& word);
  void setOnlyLeftOut(bool only);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  MatchModel& model_;
  QString word_;
  bool onlyLeftOut_ = false;
};

}  // namespace ck::ui
