#pragma once

#include <QDialog>
#include <vector>

#include "core/export/atlas_export.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ck::ui {

// Where to and in which formats. Lists the files it will write and says which ones it replaces.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  // `name` names the set of files; `outdated`: the atlas is older than the settings.
  ExportDialog(const QString& folder, const QString& name, bool outdated,
               QWidget* parent = nullptr);

  QString folder() const;
  QString name() const;
  ExportSettings settings() const;

 private:
  void browse();
  void showFiles();
  ExportKinds chosen() const;

  QLineEdit* folder_;
  QLineEdit* name_;
  std::vector<QCheckBox*> formats_;  // one per row of kExportFormats
  QLabel* files_;
  QPushButton* export_;
};

}  // namespace ck::ui
