#pragma once

#include <QDialog>
#include <vector>

#include "core/export/set/atlas_export.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ck::ui {

// Asks for folder and formats. Lists the files that will be written and those that will be
// replaced.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  // `name` is the name of the file set. `outdated`: the atlas is older than the settings.
  ExportDialog(const QString& folder, const QString& name, bool outdated,
               QWidget* parent = nullptr);

  QString folder() const;
  QString name() const;
  ExportKinds kinds() const;

 private:
  void browse();
  void showFiles();

  QLineEdit* folder_;
  QLineEdit* name_;
  std::vector<QCheckBox*> formats_;  // one per row of kExportFormats
  QLabel* files_;
  QPushButton* export_;
};

}  // namespace ck::ui
