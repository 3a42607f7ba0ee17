#pragma once

#include <QDialog>
#include <QStringList>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "core/stage/cast_export.h"
#include "render/impostor_export.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace ck::ui {

// Asks for a folder, files that hold the atlas, and engines. Says for each engine what it loses,
// how far off it is and how large it is, lists the files that will be written, and marks those that
// will be replaced. Faults of the folder or the files are shown while it is typed, and nothing is
// exported until they are put right.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  // The choices that are ticked.
  struct Choice {
    ExportKinds kinds;
    std::set<TargetKind> targets;  // that are no part of the neutral set
    SkinUv skinUv = SkinUv::None;
    std::size_t impostorBytes = render::kExportedImpostorBytes;  // of each character
  };
  // The formats that are suggested, and no targets.
  static Choice suggested();

  // `name` is the name of the file set. `bakesFirst`: the atlas is older than the settings, and is
  // baked before it is exported.
  ExportDialog(const QString& folder, const QString& name, bool bakesFirst, const Choice& choice,
               QWidget* parent = nullptr);

  QString folder() const;
  QString name() const;
  Choice choice() const;
  // The settings of the choice: the neutral set is always there.
  ExportSettings settings() const;

  // The titles of the characters that are exported, in the order of exportCast(): each has files of
  // its own.
  void setTitles(const std::vector<std::string>& titles);
  // The project that is exported, and its file: the dialog says where the export would replace what
  // it reads.
  void setProject(const Project& project, const QString& file);
  // The listed names: every file, and the folders of engines.
  QStringList names() const;

  // Stays open where something is wrong, as it may have become since it was typed.
  void accept() override;

  // Fills in what is known of a target before it is exported.
  void setForecast(TargetKind kind, const Result<TargetForecast>& forecast);

 private:
  // The widgets of a format or target.
  struct Row {
    QCheckBox* box = nullptr;
    QLabel* details = nullptr;
    QLabel* figures = nullptr;
    QStringList losses = {};  // sentences; of engines that were looked at
  };
  Row addRow(QGridLayout& grid, const QString& title, std::string_view summary, bool ticked);
  void browse();
  void showFiles();
  void fitChoices();
  QString whatIsWrong() const;

  QLineEdit* folder_;
  QLineEdit* name_;
  QLabel* written_;  // how files are called, where that is not what was typed
  QLabel* wrong_;    // what is wrong with the folder or the files in it
  std::vector<std::filesystem::path> inputs_;
  std::vector<std::string> titles_ = {std::string()};
  QScrollArea* choices_ = nullptr;
  std::vector<Row> formats_;           // one per row of kExportFormats
  std::map<TargetKind, Row> targets_;  // that are no part of the neutral set
  QLabel* neutral_;
  QCheckBox* skinUv_;
  QSpinBox* impostorMegabytes_;
  QWidget* impostorMemory_ = nullptr;  // the row of it, shown where impostors are exported
  QLabel* files_;
  QPushButton* export_;
};

}  // namespace ck::ui
