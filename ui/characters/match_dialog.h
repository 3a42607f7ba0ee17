#pragma once

#include <QDialog>

#include "core/stage/pipeline.h"
#include "ui/document/session.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace ck::ui {

class MatchFilter;
class MatchModel;

// How the files of a character fit together: of the rig, up axis and size; of each file that adds
// clips, the joint that each of its joints moves, what becomes of other rest poses, up axis and
// size. Apply reads the files again; that is one undo step of the project. An import that was
// refused is repaired in the same way. The dialog stays open, so that the crowd can be watched. It
// is not modal, and deletes itself when closed.
class MatchDialog : public QDialog {
  Q_OBJECT

 public:
  MatchDialog(Document& document, Session& session, TaskRunner& tasks, QWidget* parent);

  // Shows the files of a character, or of a refused import. `source` is an index into its sources;
  // -1: the first that leaves joints out, or else the first that adds clips.
  void showFiles(const LoadedPtr& loaded, int source = -1);

  QComboBox& fileBox() { return *file_; }
  QTableView& table() { return *table_; }
  MatchModel& model() { return *model_; }
  // Writes the choices for the shown file to a joint map (core/import/joint_map_file.h), or takes
  // them from one. False, with a message, if that fails.
  bool saveMap(const QString& path);
  bool openMap(const QString& path);
  // Whether the choices differ from what was read.
  bool isChanged() const { return draft_ != loaded_->inputs; }

 private:
  void makeTable();
  QWidget* makeFields();
  QWidget* makeButtons();
  void follow();
  void fill();
  void showSource();
  void showFields();
  void showWords();
  void showHeight();
  void takeUp();
  void takeUnit(double metersPerUnit);
  void takeRest();
  void apply();
  void askMap(bool save);
  void complain(const Error& error);
  bool isRig() const { return source_ == 0; }
  // The report about the shown file; null for the rig and for a file that was not read.
  const ClipFitReport* report() const;
  ClipFit& fit() { return draft_.sources[std::size_t(source_)].fit; }
  UpAxis up() const;
  double metersPerUnit() const;  // of the draft; 0: as found

  Session& session_;
  LoadedPtr loaded_;   // what is shown
  LoadedPtr awaited_;  // what is read since Apply
  CharacterState shownState_ = CharacterState::Reading;
  int number_ = -1;  // of the character, once the project has it
  int source_ = 0;
  ImportInputs draft_;
  ImportInputs applied_;  // the draft when Apply was pressed last

  QComboBox* file_;
  QLabel* summary_;
  QLabel* problem_;
  QWidget* tools_;
  QLineEdit* search_;
  QCheckBox* onlyLeftOut_;
  MatchModel* model_;
  MatchFilter* filter_;
  QTableView* table_;
  QComboBox* rest_;
  QLabel* restFacts_;
  QComboBox* up_;
  QDoubleSpinBox* unit_;
  QLabel* height_;
  QLabel* state_;
  QPushButton* openMap_;
  QPushButton* saveMap_;
  QPushButton* apply_;
};

}  // namespace ck::ui
