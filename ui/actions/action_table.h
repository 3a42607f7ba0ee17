#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <functional>
#include <utility>
#include <vector>

class QMenu;

namespace ck::ui {

// Returns why an action is not available now; empty if it is.
using Reason = std::function<QString()>;

// The keys of an action, which work in the whole window, or in the view alone (inView()).
struct ActionKeys {
  ActionKeys() = default;
  template <class Key>
  ActionKeys(const Key& key) : all{QKeySequence(key)} {}
  ActionKeys(QList<QKeySequence> keys) : all(std::move(keys)) {}

  QList<QKeySequence> all;
  bool inView = false;
};
template <class Key>
ActionKeys inView(const Key& key) {
  ActionKeys keys(key);
  keys.inView = true;
  return keys;
}

inline const ActionKeys kNoKey;

// An action as it is written down: one row of the table.
struct ActionRow {
  QString id;    // "file.open"; the settings keep it, so it does not change
  QString text;  // as menus show it
  QString tip;   // a sentence without its full stop
  ActionKeys keys = {};
  const char* icon = nullptr;
  std::function<void()> run = {};
  Reason whyNot = {};  // an action without one is always available
};

// Sets the tip of an enabled action.
void setOwnTip(QAction& action, const QString& tip);
// Enables or disables an action. The tool tip and status tip of a disabled action give the reason.
void setEnabledBecause(QAction& action, bool enabled, const QString& reason);
// The reason; empty for an enabled action.
QString whyDisabled(const QAction& action);
// Its text without the mark of a key.
QString plainText(const QAction& action);

// Every action of a window, each once: menus, the tool bar, the list of keys and the command
// palette show the same rows. The id of a row is the object name of its action.
class ActionTable : public QObject {
  Q_OBJECT

 public:
  // `view` has the keys that work in the view alone. Without one their actions are hidden.
  ActionTable(QWidget* view, QObject* parent);

  // Appends a row to the table and to a menu.
  QAction* add(QMenu& menu, const ActionRow& row);
  // The same for an action that is on or off, whose tick a menu shows in place of its icon.
  QAction* addSwitch(QMenu& menu, const ActionRow& row);
  // Makes a row of an action that a panel or Qt has made and named by its id.
  void take(QAction& action, const Reason& whyNot = {});

  const QList<QAction*>& actions() const { return actions_; }

 public slots:
  // Enables the actions that are available.
  void refresh();

 private:
  QWidget* view_;
  QList<QAction*> actions_;
  std::vector<std::pair<QAction*, Reason>> conditions_;
};

}  // namespace ck::ui
