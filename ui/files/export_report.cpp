#include "ui/files/export_report.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTextBrowser>
#include <QUrl>

#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

QString contentsOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

ExportReport::ExportReport(const QString& folder, std::span<const CastSet> sets, std::size_t count,
                           QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Exported"));
  setMinimumSize(680, 460);
  auto* steps = new QTabWidget;
  QString page;
  int engines = 0;
  for (const CastSet& set : sets) {
    for (const ExportedTarget& target : set.written.targets) {
      for (const ExportedTargetFile& file : target.files) {
        const QString path = QDir(folder).filePath(textOf(file.name));
        if (target.kind == "web" && path.endsWith(QLatin1String(".html")) && page.isEmpty()) {
          page = path;
        }
        if (!path.endsWith(QLatin1String("README.md"))) continue;
        auto* text = new QTextBrowser;
        // Names in it are no HTML.
        text->document()->setMarkdown(contentsOf(path), {QTextDocument::MarkdownDialectGitHub,
                                                         QTextDocument::MarkdownNoHTML});
        text->setOpenExternalLinks(true);
        const QString title = textOf(exportTarget(*targetKindFromName(target.kind)).title);
        const QString tab = sets.size() > 1 ? tr("%1 (%2)").arg(title, nameText(set.name)) : title;
        // Targets that show vertices, which are engines, come first.
        if (target.shown) {
          steps->insertTab(engines++, text, tab);
        } else {
          steps->addTab(text, tab);
        }
      }
    }
  }
  auto* where = plainLabel(tr("%1 in %2 read back the same as the bake.")
                               .arg(counted(qlonglong(count), tr("file"), tr("files")),
                                    QDir::toNativeSeparators(folder)));
  where->setWordWrap(true);
  where->setTextInteractionFlags(Qt::TextSelectableByMouse);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  const auto open = [](const QString& path) {
    return [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
  };
  connect(buttons->addButton(tr("Open &folder"), QDialogButtonBox::ActionRole),
          &QPushButton::clicked, this, open(folder));
  if (!page.isEmpty()) {
    connect(buttons->addButton(tr("Open &page"), QDialogButtonBox::ActionRole),
            &QPushButton::clicked, this, open(page));
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(18, 16, 18, 14);
  layout->setSpacing(12);
  layout->addWidget(where);
  steps->setCurrentIndex(0);
  if (steps->count() > 0) {
    connect(buttons->addButton(tr("&Copy the steps"), QDialogButtonBox::ActionRole),
            &QPushButton::clicked, this, [steps] {
              QApplication::clipboard()->setText(
                  qobject_cast<QTextBrowser*>(steps->currentWidget())->toMarkdown());
            });
    layout->addWidget(steps, 1);
  } else {
    delete steps;
    setMinimumSize(420, 0);
  }
  layout->addWidget(buttons);
}

}  // namespace ck::ui
