#pragma once

#include <QWidget>
#include <vector>

#include "core/morph/morph_set.h"

class QBoxLayout;
class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSlider;
class QToolButton;

namespace ck::ui {

class Document;
class Playback;
class Selection;
class Session;
class ViewportWidget;

// One morph in the panel: its name, a slider and a number field.
class MorphRow : public QWidget {
  Q_OBJECT

 public:
  explicit MorphRow(const QString& name, QWidget* parent = nullptr);

  const QString& name() const { return name_; }
  // Shows the weight, and whether it is the actors' own weight or that of their clips.
  void show(double weight, bool own);
  // Whether the last frame processed this morph.
  void setChangedNow(bool changed);
  bool isHeld() const;  // whether the artist is dragging the slider

  QSlider& slider() { return *slider_; }
  QDoubleSpinBox& field() { return *field_; }

 signals:
  void entered(double weight);
  void gestureEnded();
  void soloAsked();
  void varyAsked();
  void resetAsked();

 private:
  QString name_;
  QLabel* mark_;
  QSlider* slider_;
  QDoubleSpinBox* field_;
  QToolButton* reset_;
};

// The morphs of one character: that of the first selected actor or, without a selection, the shown
// character. For each morph it shows the weights that the clips of the selected actors (or of all
// actors) give, and edits weights of their own, which replace these. Selected actors of other
// characters are not changed. If targets of several meshes have one name, the artist can join them.
// The first selected actor uses the accumulator of the view.
class MorphsPanel : public QWidget {
  Q_OBJECT

 public:
  // `viewport` may be null if there is no OpenGL.
  MorphsPanel(Document& document, const Session& session, const Playback& playback,
              Selection& selection, ViewportWidget* viewport, QWidget* parent = nullptr);

  const std::vector<MorphRow*>& rows() const { return rows_; }
  QLineEdit& search() { return *search_; }
  QLabel& figures() { return *figures_; }
  QLabel& heading() { return *whom_; }
  QCheckBox& join() { return *join_; }

 private:
  // Numbered as Actor::character.
  int character() const;
  int importedCharacter() const;  // -1 if it comes from another project
  void showJoin();
  void setJoined(bool joined);
  void follow();
  void makeRows();
  void filter();
  void showWhom();
  void showWeights();
  void showFrame();
  std::vector<int> actorsMeant() const;
  // Makes one undo step. `change` is called with each actor and its index.
  template <class Change>
  void edit(const QString& text, const QString& mergeKey, Change&& change);
  void connectRow(const MorphRow& row, const std::string& name);
  void resetAll();

  Document& document_;
  const Session& session_;
  const Playback& playback_;
  Selection& selection_;
  ViewportWidget* viewport_;
  CharacterPtr rig_;  // the character whose morphs the rows show
  MorphSet set_;
  QLineEdit* search_;
  QLabel* whom_;
  QLabel* figures_;
  QLabel* none_;
  QCheckBox* join_;
  QBoxLayout* list_;
  std::vector<MorphRow*> rows_;
  int selections_ = 0;  // how often the selection has changed
};

}  // namespace ck::ui
