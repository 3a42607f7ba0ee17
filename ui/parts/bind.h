#pragma once

#include <QString>
#include <functional>

class QAction;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace ck {
struct Project;
}

namespace ck::ui {

class Document;

// Binds a widget to a value of the project in both directions. An input becomes one undo step
// called `text`. A change of the project updates the widget without making an edit. The widget must
// not outlive the document.
void bindNumber(QDoubleSpinBox& box, Document& document, const QString& text,
                const std::function<double(const Project&)>& get,
                const std::function<void(Project&, double)>& set);
void bindNumber(QSpinBox& box, Document& document, const QString& text,
                const std::function<int(const Project&)>& get,
                const std::function<void(Project&, int)>& set);
// Values are the items' user data. If no item has the value, none is selected.
void bindChoice(QComboBox& box, Document& document, const QString& text,
                const std::function<int(const Project&)>& get,
                const std::function<void(Project&, int)>& set);
void bindTruth(QCheckBox& box, Document& document, const QString& text,
               const std::function<bool(const Project&)>& get,
               const std::function<void(Project&, bool)>& set);
void bindTruth(QAction& action, Document& document, const QString& text,
               const std::function<bool(const Project&)>& get,
               const std::function<void(Project&, bool)>& set);

}  // namespace ck::ui
