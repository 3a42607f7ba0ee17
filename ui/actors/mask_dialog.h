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

// Edits the masks of the project: their names, and the weight of each joint. Every change is an
// undo step.
class MaskDialog : public QDialog {
  Q_OBJECT

 public:
  // Offers the joints of a character; other characters have those of the same names.
  MaskDialog(Document& document, const Session& session, int character, QWidget* parent = nullptr);

  // The shown mask, an index into Project::masks; -1 if there is none.
  int currentMask() const;
  void addMask();
  void removeCurrent();
  // Sets the weight of a joint and all joints below it.
  void setWeight(int joint, float weight);

 private:
  void showMasks();
  void showJoints();
  void fillTree();

  Document& document_;
  const Session& session_;
  int character_;
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
