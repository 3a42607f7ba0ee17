#include "ui/doctor/doctor_panel.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

#include "ui/doctor/examination.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr int kClipWidth = 130;
constexpr int kFixWidth = 190;
constexpr int kRowHeight = 28;

}  // namespace

FindingModel::FindingModel(Examination& examination, QObject* parent)
    : RowModel(parent), examination_(examination) {
  addColumn(tr("Clip"), tr("What it is about"), Align::Text);
  addColumn(tr("Finding"), tr("What was found, and by how much"), Align::Text);
  addColumn(tr("Fix"), tr("What mends it; one undo step each"), Align::Text);
  connect(&examination, &Examination::changed, this, &FindingModel::follow);
  follow();
}

void FindingModel::follow() {
  if (findings_ == examination_.findings()) return showRows(rows_);
  // Other findings get other buttons.
  beginResetModel();
  findings_ = examination_.findings();
  rows_ = int(findings_.size());
  endResetModel();
}

QVariant FindingModel::cell(int row, int column, int role) const {
  const ClipFinding& one = finding(row);
  const bool bad = one.level == FindingLevel::Bad;
  switch (role) {
    case Qt::DisplayRole:
      if (column == Clip) return examination_.titleOf(one);
      if (column == Finding) return sentenceOf(one.message);
      return one.fix.empty() ? tr("as you like it") : QString();
    case Qt::ToolTipRole:
      if (column == Fix && one.fix.empty()) return tr("The doctor cannot mend this by itself");
      return tr("%1: %2").arg(textOf(findingInfo(one.kind).title), sentenceOf(one.message));
    case Qt::AccessibleTextRole:
      return column == Fix ? textOf(one.fix) : cell(row, column, Qt::DisplayRole);
    case Qt::DecorationRole:
      if (column != Clip) return {};
      return bad ? icon("circle-alert", colors::kError) : icon("triangle-alert", colors::kWarning);
    case Qt::ForegroundRole:
      return column == Fix ? QVariant(colors::kMuted) : QVariant();
    default:
      return {};
  }
}

DoctorPanel::DoctorPanel(Examination& examination, Playback& playback, QWidget* parent)
    : QWidget(parent),
      examination_(examination),
      playback_(playback),
      model_(new FindingModel(examination, this)),
      summary_(styledLabel("figures")),
      nothing_(styledLabel("empty")),
      fixAll_(new QPushButton(tr("Fi&x all"))),
      table_(named(new QTableView, tr("Findings about the clips"))) {
  setObjectName(QStringLiteral("panel"));
  table_->setModel(model_);
  showAsList(*table_, {kClipWidth});
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->setWordWrap(true);
  table_->verticalHeader()->setDefaultSectionSize(kRowHeight);
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->horizontalHeader()->setSectionResizeMode(FindingModel::Finding, QHeaderView::Stretch);
  table_->setColumnWidth(FindingModel::Fix, kFixWidth);
  nothing_->setAlignment(Qt::AlignCenter);
  layOutColumn(*this, {10, 6, 10, 8}, 6,
               {rowOf({{summary_, 1}, fixAll_}), {table_, 1}, {nothing_, 1}});

  connect(fixAll_, &QPushButton::clicked, &examination, &Examination::fixAll);
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
    examination_.fix(ClipFinding(model_->finding(index.row())));
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (!now.isValid()) return;
            const int clip = model_->finding(now.row()).clip;
            if (clip >= 0) playback_.setShownClip(clip);
          });
  connect(model_, &QAbstractItemModel::modelReset, this, &DoctorPanel::placeButtons);
  connect(&examination, &Examination::changed, this, &DoctorPanel::showState);
  placeButtons();
  showState();
}

void DoctorPanel::placeButtons() {
  for (int row = 0; row < model_->rowCount(); ++row) {
    const ClipFinding& finding = model_->finding(row);
    if (finding.fix.empty()) continue;
    auto* button = named(new QPushButton(textOf(finding.fix)),
                         tr("%1: %2").arg(textOf(finding.fix), examination_.titleOf(finding)));
    connect(button, &QPushButton::clicked, &examination_,
            [this, finding] { examination_.fix(finding); });
    table_->setIndexWidget(model_->index(row, FindingModel::Fix), button);
  }
  table_->resizeRowsToContents();
}

void DoctorPanel::showState() {
  const std::vector<ClipFinding>& all = examination_.findings();
  const auto bad = std::ranges::count(all, FindingLevel::Bad, &ClipFinding::level);
  const QString why = examination_.whyNotFixed();
  const bool reading = examination_.hasPatient() && !examination_.isCurrent();
  QString text = counted(qlonglong(all.size()), tr("finding"), tr("findings"));
  if (bad > 0) text += tr(", %1 of them can be seen in the crowd").arg(bad);
  summary_->setText(all.empty() ? QString() : text);
  nothing_->setText(!examination_.hasPatient() ? tr("Import a rig to have its clips examined")
                    : reading                  ? tr("The clips are being examined")
                                               : tr("Nothing to mend"));
  nothing_->setVisible(all.empty());
  table_->setVisible(!all.empty());
  fixAll_->setVisible(!all.empty());
  fixAll_->setEnabled(why.isEmpty() && examination_.fixable() > 0);
  fixAll_->setToolTip(why.isEmpty() ? tr("Makes every change of the list, in one undo step") : why);
  for (int row = 0; row < model_->rowCount(); ++row) {
    QWidget* button = table_->indexWidget(model_->index(row, FindingModel::Fix));
    if (!button) continue;
    button->setEnabled(why.isEmpty());
    button->setToolTip(why);
  }
}

void DoctorPanel::choose(int clip) {
  for (int row = 0; row < model_->rowCount(); ++row) {
    if (model_->finding(row).clip != clip) continue;
    table_->selectRow(row);
    table_->scrollTo(model_->index(row, 0));
    return;
  }
}

void DoctorPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  table_->resizeRowsToContents();
}

}  // namespace ck::ui
