#pragma once

#include <QDialog>

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
  QStringList fileNames() const;

  QLineEdit* folder_;
  QLineEdit* name_;
  QCheckBox* ckatlas_;
  QCheckBox* json_;
  QCheckBox* exr_;
  QCheckBox* png_;
  QLabel* files_;
  QPushButton* export_;
};

}  // namespace ck::ui
