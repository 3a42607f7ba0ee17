#pragma once

#include <QWidget>
#include <functional>
#include <vector>

namespace ck {
struct ActorColumn;
}

namespace ck::ui {

class ActorFilter;
class ActorModel;
class Document;
class NumberEdit;
class Selection;

// A field for every column of the model, of all selected actors; an entry changes every one of them
// in one undo step. Columns that the layout does not place have a row of their own at the end.
class ActorEditor : public QWidget {
  Q_OBJECT

 public:
  // Ramps follow the order of the actors in `shown`.
  ActorEditor(Document& document, ActorModel& model, const ActorFilter& shown, Selection& selection,
              QWidget* parent = nullptr);

 signals:
  void masksAsked();  // the user wants to edit the masks

 private:
  QWidget* makeField(const ActorColumn& column);
  QWidget* makeNumber(const ActorColumn& column);
  QWidget* makeChoice(const ActorColumn& column);
  QWidget* makeFlag(const ActorColumn& column);
  QWidget* makeColour(const ActorColumn& column);
  std::vector<int> selectedInOrder() const;
  void showSelection();
  void enterNumber(NumberEdit& edit, const ActorColumn& column, const QString& text);
  void pickColour(const ActorColumn& column);

  Document& document_;
  ActorModel& model_;
  const ActorFilter& shown_;
  Selection& selection_;
  // Each shows in its field what these actors have.
  std::vector<std::function<void(const std::vector<int>& actors)>> fields_;
};

}  // namespace ck::ui
