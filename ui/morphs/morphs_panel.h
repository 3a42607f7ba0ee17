#pragma once

#include <QWidget>
#include <vector>

#include "core/morph/morph_set.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace ck::ui {

class Document;
class MorphRow;
class Playback;
class Selection;
class Session;
class ViewportWidget;

// The morph targets of one character, that of the first selected actor or, where none is selected,
// the one shown: what the clips of its selected actors, or of all of them, show of each, and
// weights of their own in place of that. Selected actors of other characters stay as they are. The
// first selected actor is the one that the accumulators of the view are for.
class MorphsPanel : public QWidget {
  Q_OBJECT

 public:
  // `viewport` may be null, without OpenGL.
  MorphsPanel(Document& document, const Session& session, const Playback& playback,
              Selection& selection, ViewportWidget* viewport, QWidget* parent = nullptr);

  const std::vector<MorphRow*>& rows() const { return rows_; }
  QLineEdit& searchField() { return *search_; }
  QLabel& figures() { return *figures_; }
  QLabel& heading() { return *whom_; }

 private:
  QLayout* makeMeans();
  // Numbered as Actor::character is.
  int character() const;
  void follow();
  void makeRows();
  void filter();
  void showWhom();
  void showWeights();
  void showFrame();
  void offerSums();
  void takeMeans();
  std::vector<int> actorsMeant() const;
  // One undo step; `change` is told an actor and its index.
  template <class Change>
  void edit(const QString& text, const QString& mergeKey, Change&& change);
  void setWeight(const MorphRow& row, double weight);
  void solo(const MorphRow& row);
  void vary(const MorphRow& row);
  void resetOne(const MorphRow& row);
  void resetAll();

  Document& document_;
  const Session& session_;
  const Playback& playback_;
  Selection& selection_;
  ViewportWidget* viewport_;
  CharacterPtr rig_;  // whose targets the rows are
  MorphSet set_;
  QLineEdit* search_;
  QLabel* whom_;
  QLabel* figures_;
  QLabel* none_;
  QCheckBox* onlyChanged_;
  QSpinBox* batch_;
  QComboBox* sums_;
  QVBoxLayout* list_;
  std::vector<MorphRow*> rows_;
};

}  // namespace ck::ui
