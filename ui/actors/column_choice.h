#pragma once

#include <QObject>
#include <QStringList>

class QMenu;
class QTableView;

namespace ck::ui {

class ActorModel;

// Which columns a table of actors shows, and in which order: the user's choice, which is kept in
// the settings by the columns' English titles. The column of characters is shown only where there
// are several.
class ColumnChoice : public QObject {
  Q_OBJECT

 public:
  // Belongs to `table`, whose sections are those of `model`.
  ColumnChoice(ActorModel& model, QTableView& table);

  // Shows and hides columns anew, after the number of characters has changed.
  void apply();
  void setShown(int section, bool shown);
  bool isShown(int section) const;
  void reset();

  // Adds an entry for every column with a tick where it is shown, and "Reset columns".
  void addActions(QMenu& menu);

 private:
  QString titleOf(int section) const;
  bool isTheOnlyOne(int section) const;
  void order(const QStringList& titles);
  void keep() const;

  ActorModel& model_;
  QTableView& table_;
  QStringList hidden_;
  bool ordering_ = false;
};

}  // namespace ck::ui
