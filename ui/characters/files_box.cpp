#include "ui/characters/files_box.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "ui/document/notices.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr int kMostHeight = 130;

struct Count {
  int moving = 0;
  int matched = 0;
};

Count countOf(const ClipFitReport& report) {
  Count count;
  for (const ClipFitReport::Row& row : report.rows) {
    count.moving += row.moves ? 1 : 0;
    count.matched += row.moves && row.joint >= 0 ? 1 : 0;
  }
  return count;
}

double largestRest(const ClipFitReport& report) {
  double degrees = 0.0;
  for (const ClipFitReport::Row& row : report.rows) {
    if (row.joint >= 0) degrees = std::max(degrees, row.restDegrees);
  }
  return degrees;
}

}  // namespace

FileModel::FileModel(const Session& session, QObject* parent)
    : RowModel(parent), session_(session) {
  addColumn(tr("File"), tr("The rig's file first, then those that add clips"), Align::Text);
  addColumn(tr("Matched"), tr("How many of the joints that it moves are joints of the rig"),
            Align::Text);
  addColumn(tr("Rest"), tr("How far its joints are turned against those of the rig at rest"),
            Align::Text);
  connect(&session, &Session::changed, this, &FileModel::refresh);
}

void FileModel::setCharacter(int character) {
  character_ = character;
  refresh();
}

// A character of another project is fitted there.
void FileModel::refresh() {
  const LoadedCharacter& loaded = session_.of(character_);
  const bool another = loaded.source && !loaded.source->projectFile.empty();
  showRows(another ? 0 : int(loaded.inputs.sources.size()));
}

bool FileModel::isUnfit(int source) const {
  const LoadedCharacter& loaded = session_.of(character_);
  const ClipFitReport* report = reportOf(loaded.fits, loaded.inputs, source);
  return report && leavesJointsOut(*report);
}

QString FileModel::display(int source, int column) const {
  const LoadedCharacter& loaded = session_.of(character_);
  if (column == File) return fileNameOf(loaded.inputs.sources[std::size_t(source)].path);
  if (source == 0) return column == Matched ? tr("the rig") : QString();
  const ClipFitReport* report = reportOf(loaded.fits, loaded.inputs, source);
  if (!report) return column == Matched ? tr("not read") : QString();
  if (column == Matched) {
    const Count count = countOf(*report);
    return tr("%1 of %2").arg(count.matched).arg(count.moving);
  }
  const QString degrees = fixedText(largestRest(*report), 0);
  return report->offset ? tr("%1\u00b0, offset").arg(degrees) : tr("%1\u00b0, kept").arg(degrees);
}

QString FileModel::explanation(int source, int column) const {
  const LoadedCharacter& loaded = session_.of(character_);
  const ClipFitReport* report = reportOf(loaded.fits, loaded.inputs, source);
  if (column == File || !report) return textOf(loaded.inputs.sources[std::size_t(source)].path);
  if (column == Matched && isUnfit(source)) {
    return tr("Some joints move nothing of the rig; Fit matches them");
  }
  if (column != Rest) return {};
  return report->offset ? tr("The motion is carried over relative to both rest poses")
                        : tr("The local rotations of the file are used as they are");
}

QVariant FileModel::cell(int source, int column, int role) const {
  // Rows follow later than the project.
  if (std::size_t(source) >= session_.of(character_).inputs.sources.size()) return {};
  switch (role) {
    case Qt::DisplayRole:
      return display(source, column);
    case Qt::ToolTipRole:
      return explanation(source, column);
    case Qt::DecorationRole:
      if (column != Matched || !isUnfit(source)) return {};
      return icon("triangle-alert", colors::kWarning);
    case Qt::ForegroundRole:
      return source == 0 && column != File ? QVariant(colors::kMuted) : QVariant();
    default:
      return {};
  }
}

FilesBox::FilesBox(const Session& session, QWidget* parent)
    : QWidget(parent),
      model_(new FileModel(session, this)),
      table_(named(new QTableView, tr("Files of the character"))),
      fit_(named(new QToolButton, tr("Fit files"))) {
  table_->setModel(model_);
  showAsList(*table_, {170, 84});
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->setMaximumHeight(kMostHeight);
  fit_->setObjectName(QStringLiteral("textTool"));
  fit_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fit_->setIcon(icon("sliders-horizontal"));
  fit_->setText(tr("Fit..."));
  fit_->setToolTip(tr("Match joints, rest poses, axes and size of this file to the rig"));
  layOutColumn(*this, {}, 4, {{table_, 1}, rowOf({fit_, {}}, 4)});
  connect(fit_, &QToolButton::clicked, this, [this] { emit fitAsked(selectedRow(*table_)); });
  connect(table_, &QTableView::activated, this,
          [this](const QModelIndex& index) { emit fitAsked(index.row()); });
  connect(model_, &QAbstractItemModel::modelReset, this, &FilesBox::showState);
  showState();
}

void FilesBox::setCharacter(int character) {
  model_->setCharacter(character);
}

void FilesBox::showState() {
  setVisible(model_->rowCount() > 1);
  if (selectedRow(*table_) < 0 && model_->rowCount() > 1) table_->selectRow(1);
}

}  // namespace ck::ui
