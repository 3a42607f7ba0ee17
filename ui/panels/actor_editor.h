#pragma once

#include <QHash>
#include <QWidget>
#include <vector>

class QCheckBox;
class QComboBox;
class QPushButton;

namespace ck::ui {

class ActorModel;
class Document;
class NumberEdit;
class Selection;
enum class ActorField;

// The common fields of all selected actors; an entry changes every one of them in one undo step.
class ActorEditor : public QWidget {
  Q_OBJECT

 public:
  ActorEditor(Document& document, ActorModel& model, Selection& selection,
              QWidget* parent = nullptr);

 private:
  QWidget* makeNumberRow(const std::vector<ActorField>& fields, bool titled);
  void makeChoices();
  void showSelection();
  void showNumbers();
  void enterNumber(ActorField field, const QString& text);
  void pickTint();

  Document& document_;
  ActorModel& model_;
  Selection& selection_;
  QComboBox* clip_;
  QHash<int, NumberEdit*> numbers_;
  QPushButton* tint_;
  QCheckBox* walks_;
  QCheckBox* on_;
};

}  // namespace ck::ui
