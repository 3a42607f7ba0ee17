#pragma once

#include <QAbstractProxyModel>
#include <functional>
#include <vector>

#include "core/project/actor_columns.h"

namespace ck::ui {

class ActorModel;

// The actors that fit a typed filter, in the order of a column: "clip:run rate>1.1 x<=0". Words
// without a colon or comparison look in the clip's name. Columns are named by their titles.
// Filtering and sorting a hundred thousand actors takes milliseconds and resets the views. An edit
// moves no row: typing into a sorted column must not take the row away under the pointer.
class ActorFilter : public QAbstractProxyModel {
  Q_OBJECT

 public:
  explicit ActorFilter(ActorModel& model, QObject* parent = nullptr);

  // Returns an error message, or an empty string. An invalid text leaves the filter unchanged.
  QString setFilter(const QString& text);

  // Equal values keep the project's order. Column -1 is the project's order.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  // The matching actors, from the top.
  const std::vector<int>& actors() const { return actors_; }
  int rowOf(int actor) const;  // -1 if it does not match
  // The actors in the order of the rows, followed by those that do not match: the order of ramps.
  std::vector<int> inOrder(std::vector<int> actors) const;

  QModelIndex mapFromSource(const QModelIndex& source) const override;
  QModelIndex mapToSource(const QModelIndex& shown) const override;
  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  // Row headers show the actor's number in the project.
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  using Fits = std::function<bool(const Actor&)>;

  // The conditions of the words. If a word is invalid, its condition is empty and `wrong` has the
  // reason.
  std::vector<Fits> readWords(const QString& text, QString& wrong) const;
  Fits readWord(const QString& word, QString& wrong) const;
  Fits readComparison(const ActorColumn& column, const QString& comparison, const QString& text,
                      QString& wrong) const;
  Fits withText(const ActorColumn& column, const QString& text) const;
  void arrange();  // ends a reset of the model
  void forwardChange(const QModelIndex& topLeft, const QModelIndex& bottomRight);

  ActorModel& model_;
  QString text_;
  std::vector<Fits> wanted_;
  int sortColumn_ = -1;
  Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
  std::vector<int> actors_;
  std::vector<int> rows_;  // one per actor of the project
};

}  // namespace ck::ui
