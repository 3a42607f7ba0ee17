#pragma once

#include <QDialog>
#include <QList>
#include <QString>
#include <functional>

class QAction;
class QLabel;
class QLineEdit;
class QListView;
class QMenuBar;
class QStandardItemModel;

namespace ck::ui {

class ActionTable;

// A field over the window with a list of its actions, found by words: in any order, beginnings
// first. An empty field lists the last five that were run from here. Enter or a click runs a row,
// Tab shows it in its menu, Esc closes. An action that is not available is found, too, and its row
// says why in place of its menu and key.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  // Items of the list have these beside their text and icon.
  enum Role {
    MenuRole = Qt::UserRole,  // the title of its menu
    KeyRole,
    ReasonRole,  // why it is not available; empty if it is
    HitsRole,    // a QList<int>: first letter and length of each word that was found in the text
    IdRole,      // the object name of the action
  };

  // Both must outlive it. It deletes itself when it is closed.
  CommandPalette(ActionTable& actions, QMenuBar& menus);

  // Adds a row that no action of the window is.
  void offer(const QString& id, const QString& menu, const QString& text,
             const std::function<void()>& run);
  // Shows it at the top of the window, with the focus.
  void start();

  QLineEdit& field() { return *field_; }
  QListView& list() { return *list_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Command {
    QAction* action;
    QList<QAction*> path;  // from the menu bar to the action; empty for one that no menu has
    QString menu;
    QString text;
  };

  void gather(const QList<QAction*>& entries, const QList<QAction*>& path, const QString& heading);
  void find();
  void append(const Command& command, const QList<int>& hits);
  void tellCurrent();
  void run();
  void showInMenu();
  const Command* commandOf(const QString& id) const;  // null: there is none
  const Command* current() const;

  const ActionTable& actions_;
  QMenuBar& menus_;
  QList<Command> commands_;
  QStandardItemModel* model_;
  QLineEdit* field_;
  QListView* list_;
  QLabel* nothing_;
};

}  // namespace ck::ui
