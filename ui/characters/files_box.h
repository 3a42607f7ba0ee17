#pragma once

#include <QWidget>

#include "ui/parts/row_model.h"

class QTableView;
class QToolButton;

namespace ck::ui {

class Session;

// The files of one character, one row each: the rig, then files that add clips, and how those fit.
class FileModel : public RowModel {
  Q_OBJECT

 public:
  enum Column { File, Matched, Rest };

  explicit FileModel(const Session& session, QObject* parent = nullptr);

  // Numbered as Actor::character; -1 for none.
  void setCharacter(int character);

 protected:
  QVariant cell(int source, int column, int role) const override;
  Qt::ItemFlags abilities(int, int) const override { return Qt::NoItemFlags; }

 private:
  void refresh();
  QString display(int source, int column) const;
  QString explanation(int source, int column) const;
  bool isUnfit(int source) const;

  const Session& session_;
  int character_ = -1;
};

// The list of files with the button that opens the matching table. Hidden if there is one file
// only.
class FilesBox : public QWidget {
  Q_OBJECT

 public:
  explicit FilesBox(const Session& session, QWidget* parent = nullptr);

  QTableView& table() { return *table_; }
  QToolButton& fitButton() { return *fit_; }
  void setCharacter(int character);

 signals:
  // The user wants to see how a file fits: its index in ProjectCharacter::sources.
  void fitAsked(int source);

 private:
  void showState();

  FileModel* model_;
  QTableView* table_;
  QToolButton* fit_;
};

}  // namespace ck::ui
