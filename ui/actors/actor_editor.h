#pragma once

#include <QHash>
#include <QWidget>
#include <vector>

class QCheckBox;
class QComboBox;
class QPushButton;

namespace ck::ui {

class ActorFilter;
class ActorModel;
class Document;
class NumberEdit;
class Selection;
enum class ActorField;

// The common fields of all selected actors; an entry changes every one of them in one undo step.
class ActorEditor : public QWidget {
  Q_OBJECT

 public:
  // Ramps run over the selected actors in the order that `shown` has.
  ActorEditor(Document& document, ActorModel& model, const ActorFilter& shown, Selection& selection,
              QWidget* parent = nullptr);

 signals:
  void masksAsked();  // the artist wants to say what masks there are

 private:
  QWidget* makeNumberRow(const std::vector<ActorField>& fields, bool titled);
  QComboBox* makeChoice(ActorField field);
  void makeLooks();
  QWidget* makeFadeTime();
  void showTruth(QCheckBox& box, ActorField field);
  void showChoice(QComboBox& box, ActorField field);
  std::vector<int> selectedInOrder() const;
  void showSelection();
  void showNumbers();
  void enterNumber(ActorField field, const QString& text);
  void pickTint();

  Document& document_;
  ActorModel& model_;
  const ActorFilter& shown_;
  Selection& selection_;
  QComboBox* character_;
  QComboBox* clip_;
  QComboBox* loop_;
  QComboBox* fadeTo_;
  QComboBox* fadePhase_;
  QComboBox* mask_;
  QHash<int, NumberEdit*> numbers_;
  QPushButton* tint_;
  QCheckBox* walks_;
  QCheckBox* on_;
  QCheckBox* eased_;
};

}  // namespace ck::ui
