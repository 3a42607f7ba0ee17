#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/project/project.h"

class QFormLayout;
class QHBoxLayout;
class QLabel;
class QMenu;

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
// in one undo step, and a drag on the label of a number changes all by the same amount. The fields
// are in groups, which the user shows or folds away; the settings keep which. Columns that no group
// has are in a group of their own. The editor is disabled without a selection.
class ActorEditor : public QWidget {
  Q_OBJECT

 public:
  // Ramps follow the order of the actors in `shown`.
  ActorEditor(Document& document, ActorModel& model, const ActorFilter& shown, Selection& selection,
              QWidget* parent = nullptr);

 signals:
  void masksAsked();  // the user wants to edit the masks

 private:
  QFormLayout* addGroup(const QString& key, const QString& title, bool open);
  void serveLabel(QLabel& label, const ActorColumn& column);
  void shift(const ActorColumn& column, double by);
  QMenu* makeColumnMenu(const ActorColumn& column);
  QWidget* makeField(const ActorColumn& column);
  QWidget* makeNumber(const ActorColumn& column);
  QWidget* makeChoice(const ActorColumn& column);
  QWidget* makeFlag(const ActorColumn& column);
  QWidget* makeColour(const ActorColumn& column);
  void showSelection();
  void enterNumber(NumberEdit& edit, const ActorColumn& column, const QString& text);
  void pickColour(const ActorColumn& column);

  Document& document_;
  ActorModel& model_;
  const ActorFilter& shown_;
  Selection& selection_;
  QHBoxLayout* switches_;     // of the groups
  std::vector<int> dragged_;  // the actors that a drag changes, and all as they were before it
  ActorList before_;
  // Fields that are shown or folded away together. `shows`: each shows in its field what these
  // actors have.
  struct Group {
    const QWidget* fields = nullptr;
    std::vector<std::function<void(const std::vector<int>& actors)>> shows;
  };
  std::vector<Group> groups_;
};

}  // namespace ck::ui
