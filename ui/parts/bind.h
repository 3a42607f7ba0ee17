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

// Ties a widget to a value of the project, both ways: what the artist enters becomes one undo step
// called `text`, and every change of the project is shown without being taken for an entry. The
// widget must not outlive the document.
void bindNumber(QDoubleSpinBox& box, Document& document, const QString& text,
                const std::function<double(const Project&)>& get,
                const std::function<void(Project&, double)>& set);
void bindNumber(QSpinBox& box, Document& document, const QString& text,
                const std::function<int(const Project&)>& get,
                const std::function<void(Project&, int)>& set);
// The values are the items' user data; a value without an item shows none.
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
