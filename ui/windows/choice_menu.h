#pragma once

#include <QMenu>
#include <functional>

class QActionGroup;

namespace ck {
struct Project;
}

namespace ck::ui {

class Document;

// A menu of which one entry holds: a value of the project that has a few sensible ones. Choosing is
// one undo step; a value without an entry ticks none.
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

  // Greys the entry of that value and says why; an empty refusal offers it again.
  void offer(int value, const QString& refusal);

 private:
  void refresh();

  Document& document_;
  Binding binding_;
  QActionGroup* group_;
};

// What actors cast, how often they are posed, and how far away faces are shown: menus of the view.
ChoiceMenu* makeShadowsMenu(Document& document, QWidget* parent);
ChoiceMenu* makeTickRateMenu(Document& document, QWidget* parent);
ChoiceMenu* makeFacesMenu(Document& document, QWidget* parent);

}  // namespace ck::ui
