#pragma once

#include <QSortFilterProxyModel>
#include <optional>
#include <vector>

#include "ui/models/actor_field.h"

namespace ck::ui {

class ActorModel;

// Shows the actors that fit a typed filter: "clip:run rate>1.1 x<=0". Words without a colon or
// comparison look in the clip's name. Fields are named as in the table's header.
class ActorFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ActorFilter(ActorModel& model, QObject* parent = nullptr);

  // Returns what is wrong with the text, or nothing. A wrong text leaves the filter as it was.
  QString setFilter(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  struct Term {
    std::optional<ActorField> field;  // nothing: the clip's name holds `text`
    QString comparison;               // "<", "<=", ">", ">=", "="
    double number = 0.0;
    QString text;
  };
  static std::optional<Term> readTerm(const QString& word, QString& wrong);

  ActorModel& model_;
  std::vector<Term> terms_;
};

}  // namespace ck::ui
