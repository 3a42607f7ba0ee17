#include "ui/parts/bind.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalBlocker>
#include <QSpinBox>

#include "ui/document/document.h"

namespace ck::ui {
namespace {

// Shows the value now and after every change, with the widget's signals blocked.
template <class Widget, class Show>
void follow(Widget& widget, Document& document, Show show) {
  const auto refresh = [&widget, show](const Project& project) {
    // An action must notify its buttons and menus. The resulting edit changes nothing.
    const bool widgetsShowIt = std::is_same_v<Widget, QAction>;
    const QSignalBlocker blocker(widgetsShowIt ? nullptr : &widget);
    show(project);
  };
  refresh(document.project());
  QObject::connect(&document, &Document::changed, &widget,
                   [refresh](const Project&, const Project& now) { refresh(now); });
}

template <class Box, class Value>
void bindBox(Box& box, Document& document, const QString& text,
             const std::function<Value(const Project&)>& get,
             const std::function<void(Project&, Value)>& set) {
  // A value is applied when it is complete, not at every key. Arrow steps within one focus are
  // merged.
  box.setKeyboardTracking(false);
  follow(box, document, [&box, get](const Project& project) { box.setValue(get(project)); });
  const QString key = QStringLiteral("%1/%2").arg(text).arg(quintptr(&box));
  QObject::connect(&box, &Box::valueChanged, &document, [&document, text, set, key](Value value) {
    document.edit(
        text, [&](Project& project) { set(project, value); }, key);
  });
  QObject::connect(&box, &Box::editingFinished, &document, [&document] { document.endMerge(); });
}

template <class Switch>
void bindSwitch(Switch& widget, Document& document, const QString& text,
                const std::function<bool(const Project&)>& get,
                const std::function<void(Project&, bool)>& set) {
  follow(widget, document,
         [&widget, get](const Project& project) { widget.setChecked(get(project)); });
  QObject::connect(&widget, &Switch::toggled, &document, [&document, text, set](bool on) {
    document.edit(text, [&](Project& project) { set(project, on); });
  });
}

}  // namespace

void bindNumber(QDoubleSpinBox& box, Document& document, const QString& text,
                const std::function<double(const Project&)>& get,
                const std::function<void(Project&, double)>& set) {
  bindBox<QDoubleSpinBox, double>(box, document, text, get, set);
}

void bindNumber(QSpinBox& box, Document& document, const QString& text,
                const std::function<int(const Project&)>& get,
                const std::function<void(Project&, int)>& set) {
  bindBox<QSpinBox, int>(box, document, text, get, set);
}

void bindChoice(QComboBox& box, Document& document, const QString& text,
                const std::function<int(const Project&)>& get,
                const std::function<void(Project&, int)>& set) {
  follow(box, document,
         [&box, get](const Project& project) { box.setCurrentIndex(box.findData(get(project))); });
  QObject::connect(&box, &QComboBox::currentIndexChanged, &document,
                   [&document, &box, text, set](int index) {
                     if (index < 0) return;
                     const int value = box.itemData(index).toInt();
                     document.edit(text, [&](Project& project) { set(project, value); });
                   });
}

void bindTruth(QCheckBox& box, Document& document, const QString& text,
               const std::function<bool(const Project&)>& get,
               const std::function<void(Project&, bool)>& set) {
  bindSwitch(box, document, text, get, set);
}

void bindTruth(QAction& action, Document& document, const QString& text,
               const std::function<bool(const Project&)>& get,
               const std::function<void(Project&, bool)>& set) {
  bindSwitch(action, document, text, get, set);
}

}  // namespace ck::ui
