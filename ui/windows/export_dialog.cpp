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
namespace {

// ".atlas.&exr - float picture"
QString titleOf(const ExportFormat& format) {
  QString ending = textOf(format.ending);
  ending.insert(ending.lastIndexOf(QLatin1Char('.')) + 1, QLatin1Char('&'));
  return QStringLiteral("%1 - %2").arg(ending, textOf(format.summary));
}

}  // namespace

ExportDialog::ExportDialog(const QString& folder, const QString& name, bool outdated,
                           QWidget* parent)
    : QDialog(parent),
      folder_(new QLineEdit(QDir::toNativeSeparators(folder))),
      name_(new QLineEdit(name)),
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
  for (const ExportFormat& format : kExportFormats) {
    auto* box = new QCheckBox(titleOf(format));
    formats->addWidget(box);
    box->setChecked(format.isSuggested);
    connect(box, &QCheckBox::toggled, this, &ExportDialog::showFiles);
    formats_.push_back(box);
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

ExportKinds ExportDialog::kinds() const {
  ExportKinds kinds;
  for (const ExportFormat& format : kExportFormats) {
    if (formats_[std::size_t(format.kind)]->isChecked()) kinds.insert(format.kind);
  }
  return kinds;
}

void ExportDialog::browse() {
  const QString chosen = QFileDialog::getExistingDirectory(this, tr("Export into"), folder());
  if (!chosen.isEmpty()) folder_->setText(QDir::toNativeSeparators(chosen));
}

void ExportDialog::showFiles() {
  ExportKinds pictures = kinds();
  std::erase_if(pictures, [](ExportKind kind) { return !exportFormat(kind).isImage; });
  QCheckBox* sidecar = formats_[std::size_t(ExportKind::Json)];
  sidecar->setEnabled(pictures.empty());
  sidecar->setToolTip(pictures.empty() ? QString() : tr("A picture cannot be read without it"));
  QStringList names;
  for (const ExportKind kind : withSidecar(kinds())) {
    names << textOf(fileNameOf(utf8Of(name()), kind));
  }
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
