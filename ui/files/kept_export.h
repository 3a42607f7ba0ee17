#pragma once

#include <QString>

#include "ui/files/export_dialog.h"

namespace ck::ui {

// The last export of a project, and its folder.
struct KeptExport {
  QString folder;
  ExportDialog::Choice choice;
};

// By the path of the project file, empty for a project without one. If nothing was kept: `folder`
// and what is suggested.
KeptExport keptExport(const QString& project, const QString& folder);
void keepExport(const QString& project, const KeptExport& kept);

}  // namespace ck::ui
