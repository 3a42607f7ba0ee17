#pragma once

#include <QWidget>

class QAction;
class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QMenu;

namespace ck::ui {

class CrowdCommands;
class Document;

// The crowds of the project in a row: which of them is edited, and whether it is shown. Buttons
// have the other actions on crowds. A single crowd needs no row.
class CrowdBar : public QWidget {
  Q_OBJECT

 public:
  // Both must outlive it.
  CrowdBar(Document& document, CrowdCommands& commands, QWidget* parent = nullptr);

  // Shows an action as a button, and a menu behind another one.
  void addButton(QAction* action);
  void setMenu(QMenu* menu);

 private:
  void showState();

  Document& document_;
  CrowdCommands& commands_;
  QComboBox* crowds_;
  QCheckBox* on_;
  QHBoxLayout* row_;
};

}  // namespace ck::ui
