#include "ui/windows/export_dialog.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/base/files.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {

ExportDialog::ExportDialog(const QString& folder, const QString& name, bool outdated,
                           QWidget* parent)
    : QDialog(parent),
      folder_(new QLineEdit(QDir::toNativeSeparators(folder))),
      name_(new QLineEdit(name)),
      ckatlas_(new QCheckBox(tr(".&ckatlas - exact, opens in Crowdkiln and kiln"))),
      json_(new QCheckBox(tr(".atlas.&json - how to read it, always with a picture"))),
      exr_(new QCheckBox(tr(".atlas.&exr - float picture"))),
      png_(new QCheckBox(tr(".atlas.&png - 16-bit picture"))),
      files_(new QLabel) {
  setWindowTitle(tr("Export the atlas"));
  setMinimumWidth(560);
  folder_->setAccessibleName(tr("Folder"));
  auto* choose = new QPushButton(icon("folder-open"), tr("&Browse..."));
  choose->setAutoDefault(false);
  connect(choose, &QPushButton::clicked, this, &ExportDialog::browse);
  auto* folderRow = new QHBoxLayout;
  folderRow->setSpacing(8);
  folderRow->addWidget(folder_, 1);
  folderRow->addWidget(choose);
  auto* formats = new QVBoxLayout;
  formats->setSpacing(4);
  for (QCheckBox* box : {ckatlas_, exr_, png_, json_}) {
    formats->addWidget(box);
    box->setChecked(box != exr_);
    connect(box, &QCheckBox::toggled, this, &ExportDialog::showFiles);
  }
  files_->setWordWrap(true);
  files_->setObjectName(QStringLiteral("figures"));
  files_->setMinimumHeight(52);
  files_->setAlignment(Qt::AlignTop);

  auto* form = new QFormLayout;
  form->setHorizontalSpacing(14);
  form->setVerticalSpacing(10);
  auto* folderLabel = new QLabel(tr("&Folder"));
  folderLabel->setBuddy(folder_);
  form->addRow(folderLabel, folderRow);
  form->addRow(tr("&Name"), name_);
  form->addRow(tr("Formats"), formats);
  form->addRow(tr("Files"), files_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  export_ = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
  export_->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(18, 16, 18, 14);
  layout->setSpacing(12);
  if (outdated) {
    auto* warning =
        new QLabel(tr("The atlas is older than the settings: bake first to export what they say."));
    warning->setWordWrap(true);
    warning->setStyleSheet(QStringLiteral("color:%1;").arg(colors::kWarning.name()));
    layout->addWidget(warning);
  }
  layout->addLayout(form);
  layout->addWidget(buttons);
  connect(folder_, &QLineEdit::textChanged, this, &ExportDialog::showFiles);
  connect(name_, &QLineEdit::textChanged, this, &ExportDialog::showFiles);
  showFiles();
}

QString ExportDialog::folder() const {
  return QDir::fromNativeSeparators(folder_->text());
}

QString ExportDialog::name() const {
  return textOf(safeFileName(utf8Of(name_->text())));
}

ExportSettings ExportDialog::settings() const {
  ExportSettings settings;
  settings.ckatlas = ckatlas_->isChecked();
  settings.json = json_->isChecked();
  settings.exr = exr_->isChecked();
  settings.png = png_->isChecked();
  return settings;
}

void ExportDialog::browse() {
  const QString chosen = QFileDialog::getExistingDirectory(this, tr("Export into"), folder());
  if (!chosen.isEmpty()) folder_->setText(QDir::toNativeSeparators(chosen));
}

QStringList ExportDialog::fileNames() const {
  const ExportSettings chosen = settings();
  QStringList names;
  if (chosen.ckatlas) names << name() + QStringLiteral(".ckatlas");
  if (chosen.json || chosen.exr || chosen.png) names << name() + QStringLiteral(".atlas.json");
  if (chosen.exr) names << name() + QStringLiteral(".atlas.exr");
  if (chosen.png) names << name() + QStringLiteral(".atlas.png");
  return names;
}

void ExportDialog::showFiles() {
  const bool picture = exr_->isChecked() || png_->isChecked();
  json_->setEnabled(!picture);
  json_->setToolTip(picture ? tr("A picture cannot be read without it") : QString());
  const QStringList names = fileNames();
  QStringList replaced;
  for (const QString& name : names) {
    if (QFileInfo::exists(QDir(folder()).filePath(name))) replaced << name;
  }
  QString text = names.join(QStringLiteral(", "));
  if (!replaced.isEmpty()) {
    text += tr("\nReplaces what is there: %1").arg(replaced.join(QStringLiteral(", ")));
  }
  files_->setText(text);
  export_->setEnabled(!names.isEmpty() && !folder_->text().isEmpty() && !name_->text().isEmpty());
  export_->setToolTip(export_->isEnabled() ? QString()
                                           : tr("Choose a folder, a name and a format"));
}

}  // namespace ck::ui
