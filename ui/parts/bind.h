#pragma once

#include <QAction>
#include <QComboBox>
#include <QSignalBlocker>

#include "ui/document/document.h"
#include "ui/parts/number_field.h"

namespace ck::ui {

// Calls `show` now and after every change of the project, while `follower` lives.
template <class Show>
void follow(QObject& follower, Document& document, Show show) {
  show(document.project());
  QObject::connect(&document, &Document::changed, &follower,
                   [show](const Project&, const Project& now) { show(now); });
}

// The functions below bind a widget to a value of the project in both directions. `get` returns the
// value of a project, and `set` changes it. An input becomes one undo step called `text`,
// unless it changes only how the project is looked at (Document::setView()). A change
// of the project updates the widget without making an edit. The widget must not outlive the
// document.

// For a QSpinBox or a QDoubleSpinBox. A value is applied when it is complete, not at every key.
// Arrow steps within one focus, and a drag, are merged, and Esc takes all of them back. `get` is
// also called with a new project: its number is the default that the field can be reset to.
template <class Box, class Get, class Set>
void bindNumber(Box& box, Document& document, const QString& text, Get get, Set set) {
  box.setKeyboardTracking(false);
  const QString key = QStringLiteral("%1/%2").arg(text).arg(quintptr(&box));
  NumberField* field = numberFieldOf(&box);
  if (field) {
    field->setDefaultNumber(double(get(Project())));
    field->setTakeBack([&document, key] { return document.takeBack(key); });
  }
  follow(box, document, [&box, get, field](const Project& project) {
    const QSignalBlocker blocker(box);
    const auto shown = box.value();
    box.setValue(get(project));
    if (field && box.value() != shown) field->noteSet();
  });
  QObject::connect(&box, &Box::valueChanged, &document,
                   [&document, text, set, key](decltype(box.value()) value) {
                     document.edit(
                         text, [&](Project& project) { set(project, value); }, key);
                   });
  QObject::connect(&box, &Box::editingFinished, &document, [&document] { document.endMerge(); });
}

// Values are the items' user data. If no item has the value, none is selected.
template <class Get, class Set>
void bindChoice(QComboBox& box, Document& document, const QString& text, Get get, Set set) {
  follow(box, document, [&box, get](const Project& project) {
    const QSignalBlocker blocker(box);
    box.setCurrentIndex(box.findData(int(get(project))));
  });
  QObject::connect(&box, &QComboBox::currentIndexChanged, &document,
                   [&document, &box, text, set](int index) {
                     if (index < 0) return;
                     const int value = box.itemData(index).toInt();
                     document.edit(text, [&](Project& project) { set(project, value); });
                   });
}

// For a QCheckBox or a QAction.
template <class Switch, class Get, class Set>
void bindTruth(Switch& widget, Document& document, const QString& text, Get get, Set set) {
  follow(widget, document, [&widget, get](const Project& project) {
    // An action must notify its buttons and menus. The resulting edit changes nothing.
    const bool widgetsShowIt = std::is_same_v<Switch, QAction>;
    const QSignalBlocker blocker(widgetsShowIt ? nullptr : &widget);
    widget.setChecked(get(project));
  });
  QObject::connect(&widget, &Switch::toggled, &document, [&document, text, set](bool on) {
    document.edit(text, [&](Project& project) { set(project, on); });
  });
}

}  // namespace ck::ui
