#pragma once

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace ck::ui {

class Document;
class Session;

// The masks of the project: their names, and for each the rig's joints with what of a second clip
// they take. Every change is an undo step at once.
class MaskDialog : public QDialog {
  Q_OBJECT

 public:
  MaskDialog(Document& document, const Session& session, QWidget* parent = nullptr);

  // The mask that is shown, into Project::masks; -1 without one.
  int shownMask() const;
  void addMask();
  void removeShown();
  // Sets a joint and all that hangs below it.
  void setWeight(int joint, float weight);

 private:
  void showMasks();
  void showJoints();
  void makeTree();
  void fillTree();
  void addJoints();

  Document& document_;
  const Session& session_;
  QComboBox* masks_;
  QLineEdit* name_;
  QToolButton* remove_;
  QTreeWidget* joints_;
  QLabel* weightOf_;
  QDoubleSpinBox* weight_;
  QList<QTreeWidgetItem*> items_;  // by joint
  bool filling_ = false;
};

}  // namespace ck::ui
