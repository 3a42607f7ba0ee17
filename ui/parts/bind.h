#pragma once

#include <QAction>
#include <QComboBox>
#include <QSignalBlocker>

#include "ui/document/document.h"
#include "ui/parts/number_field.h"
#include "ui/playback/shown_character.h"

namespace ck::ui {

// Calls `show` now and after every change of the project, while `follower` lives.
template <class Show>
void follow(QObject& follower, Document& document, Show show) {
  show(document.project());
  QObject::connect(&document, &Document::changed, &follower,
                   [show](const Project&, const Project& now) { show(now); });
}

// Calls `show` now and after every change of the shown character.
template <class Show>
void follow(QObject& follower, ShownCharacter& shown, Show show) {
  show(shown.value());
  QObject::connect(&shown, &ShownCharacter::changed, &follower,
                   [&shown, show] { show(shown.value()); });
}

// The functions below bind a widget to a number, choice or switch of a subject in both directions:
// of a project, if the subject is a Document, or of a ShownCharacter. `get` returns the value of a
// project or a character, and `set` changes it. An input becomes one undo step called `text`,
// unless it changes only how the project is looked at (Document::setView()). A change
// of the subject updates the widget without making an edit. The widget must not outlive the
// subject.

// For a QSpinBox or a QDoubleSpinBox. A value is applied when it is complete, not at every key.
// Arrow steps within one focus, and a drag, are merged, and Esc takes all of them back. `get` is
// also called with a new subject: its number is the default that the field can be reset to.
template <class Box, class Subject, class Get, class Set>
void bindNumber(Box& box, Subject& subject, const QString& text, Get get, Set set) {
  box.setKeyboardTracking(false);
  const QString key = QStringLiteral("%1/%2").arg(text).arg(quintptr(&box));
  NumberField* field = numberFieldOf(&box);
  if (field) {
    field->setDefaultNumber(double(get(typename Subject::Value())));
    field->setTakeBack([&subject, key] { return subject.takeBack(key); });
  }
  follow(box, subject, [&box, get, field](const auto& value) {
    const QSignalBlocker blocker(box);
    const auto shown = box.value();
    box.setValue(get(value));
    if (field && box.value() != shown) field->noteSet();
  });
  QObject::connect(&box, &Box::valueChanged, &subject,
                   [&subject, text, set, key](decltype(box.value()) number) {
                     subject.edit(
                         text, [&](auto& value) { set(value, number); }, key);
                   });
  QObject::connect(&box, &Box::editingFinished, &subject, [&subject] { subject.endMerge(); });
}

// Values are the items' user data. If no item has the value, none is selected.
template <class Subject, class Get, class Set>
void bindChoice(QComboBox& box, Subject& subject, const QString& text, Get get, Set set) {
  follow(box, subject, [&box, get](const auto& value) {
    const QSignalBlocker blocker(box);
    box.setCurrentIndex(box.findData(int(get(value))));
  });
  QObject::connect(&box, &QComboBox::currentIndexChanged, &subject,
                   [&subject, &box, text, set](int index) {
                     if (index < 0) return;
                     const int choice = box.itemData(index).toInt();
                     subject.edit(text, [&](auto& value) { set(value, choice); });
                   });
}

// For a QCheckBox or a QAction.
template <class Switch, class Subject, class Get, class Set>
void bindTruth(Switch& widget, Subject& subject, const QString& text, Get get, Set set) {
  follow(widget, subject, [&widget, get](const auto& value) {
    // An action must notify its buttons and menus. The resulting edit changes nothing.
    const bool widgetsShowIt = std::is_same_v<Switch, QAction>;
    const QSignalBlocker blocker(widgetsShowIt ? nullptr : &widget);
    widget.setChecked(get(value));
  });
  QObject::connect(&widget, &Switch::toggled, &subject, [&subject, text, set](bool on) {
    subject.edit(text, [&](auto& value) { set(value, on); });
  });
}

}  // namespace ck::ui
