#pragma once

#include <QMenu>
#include <functional>

class QActionGroup;

namespace ck {
struct Project;
}

namespace ck::ui {

class Document;

// A menu with one checked entry: a project value with a few useful choices. A choice is one undo
// step. A value without an entry leaves all unchecked.
class ChoiceMenu : public QMenu {
  Q_OBJECT

 public:
  struct Entry {
    QString text;
    int value = 0;
    QString tip;
  };
  struct Binding {
    QString undoText;
    std::function<int(const Project&)> get;
    std::function<void(Project&, int)> set;
  };

  ChoiceMenu(const QString& title, Document& document, const QList<Entry>& entries, Binding binding,
             QWidget* parent = nullptr);

  // Disables the entry of that value with a reason; an empty reason enables it.
  void offer(int value, const QString& refusal);

 private:
  void refresh();

  Document& document_;
  Binding binding_;
  QActionGroup* group_;
};

// Menus of the view: shadows, tick rate, and the distance up to which morphs are shown.
ChoiceMenu* makeShadowsMenu(Document& document, QWidget* parent);
ChoiceMenu* makeTickRateMenu(Document& document, QWidget* parent);
ChoiceMenu* makeFacesMenu(Document& document, QWidget* parent);

}  // namespace ck::ui
