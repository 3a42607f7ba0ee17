#pragma once

#include <QActionGroup>
#include <QMenu>
#include <functional>

#include "core/project/project.h"

namespace ck::ui {

class Document;

// An entry of a menu for one value of a setting.
struct Choice {
  QString text;
  int value = 0;
  QString tip = {};
};

// The entries of a menu for a setting with a few useful values. The entry of the current value is
// checked; none is checked if the setting has another value.
class ChoiceGroup : public QActionGroup {
  Q_OBJECT

 public:
  using Get = std::function<int(const Project&)>;
  using Set = std::function<void(Project&, int)>;

  // Appends the entries to the menu and becomes its child.
  ChoiceGroup(QMenu& menu, const QList<Choice>& choices, std::function<int()> get,
              std::function<void(int)> set);
  // For a setting of the project: a choice is one undo step called `undoText`.
  ChoiceGroup(QMenu& menu, Document& document, const QString& undoText,
              const QList<Choice>& choices, const Get& get, const Set& set);
  template <class Value>
  ChoiceGroup(QMenu& menu, Document& document, const QString& undoText,
              const QList<Choice>& choices, Value PoseSettings::*setting)
      : ChoiceGroup(
            menu, document, undoText, choices,
            [setting](const Project& p) { return int(p.view.pose.*setting); },
            [setting](Project& p, int value) { p.view.pose.*setting = Value(value); }) {}

  // Disables the entry of that value with a reason; an empty reason enables it.
  void offer(int value, const QString& refusal);

 private:
  void refresh();

  std::function<int()> get_;
};

// Menus of the view: shadows, tick rate, and the distance up to which morphs are shown.
QMenu* makeShadowsMenu(Document& document, QWidget* parent);
QMenu* makeTickRateMenu(Document& document, QWidget* parent);
QMenu* makeFacesMenu(Document& document, QWidget* parent);

// Sets the tip of an enabled action.
void setOwnTip(QAction& action, const QString& tip);
// Enables or disables an action. The tool tip and status tip of a disabled action give the reason.
void setEnabledBecause(QAction& action, bool enabled, const QString& reason);

}  // namespace ck::ui
