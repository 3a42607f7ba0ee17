#include "ui/log/log_panel.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTime>
#include <QToolButton>

#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {

LogModel::LogModel() : QStandardItemModel(0, 1) {
  attachLogSink([this](const LogLine& line) {
    QMetaObject::invokeMethod(
        this, [this, line] { append(line); }, Qt::QueuedConnection);
  });
}

LogModel::~LogModel() {
  attachLogSink({});
}

void LogModel::append(const LogLine& line) {
  const bool error = line.level == LogLine::Level::Error;
  const bool warning = line.level == LogLine::Level::Warning;
  const QString text = shownText(textOf(line.text));
  const QString time = QTime::currentTime().toString(QStringLiteral("HH:mm:ss"));
  auto* item = new QStandardItem(QStringLiteral("%1   %2").arg(time, text));
  item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren);
  item->setToolTip(text);
  item->setData(error || warning, kIsProblemRole);
  item->setAccessibleText(error     ? tr("Error: %1").arg(text)
                          : warning ? tr("Warning: %1").arg(text)
                                    : text);
  item->setIcon(error     ? icon("circle-alert", colors::kError)
                : warning ? icon("triangle-alert", colors::kWarning)
                          : icon("info", colors::kMuted));
  if (rowCount() >= kMostLines) removeRow(0);
  appendRow(item);
  if (error || warning) emit unreadChanged(++unread_);
}

void LogModel::markRead() {
  if (unread_ == 0) return;
  unread_ = 0;
  emit unreadChanged(0);
}

void LogModel::clear() {
  removeRows(0, rowCount());
  markRead();
}

LogPanel::LogPanel(LogModel& model, QWidget* parent)
    : QWidget(parent), model_(model), view_(new QListView) {
  setObjectName(QStringLiteral("panel"));
  auto* problems = new QSortFilterProxyModel(this);
  problems->setSourceModel(&model);
  problems->setFilterRole(LogModel::kIsProblemRole);
  auto* filter = new QSortFilterProxyModel(this);
  filter->setSourceModel(problems);
  filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
  auto* search = new QLineEdit;
  search->setPlaceholderText(tr("Search the log"));
  search->setAccessibleName(tr("Search the log"));
  search->setClearButtonEnabled(true);
  search->addAction(icon("search", colors::kMuted), QLineEdit::LeadingPosition);
  connect(search, &QLineEdit::textChanged, filter, &QSortFilterProxyModel::setFilterFixedString);
  auto* warnings = new QCheckBox(tr("Warnings only"));
  connect(warnings, &QCheckBox::toggled, problems, [problems](bool only) {
    problems->setFilterFixedString(only ? QStringLiteral("true") : QString());
  });
  QToolButton* copy = iconButton(QStringLiteral("copy"), tr("Copy the shown lines"));
  connect(copy, &QToolButton::clicked, this, [filter] {
    QStringList lines;
    for (int row = 0; row < filter->rowCount(); ++row) {
      lines << filter->index(row, 0).data().toString();
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
  });
  QToolButton* clear = iconButton(QStringLiteral("trash-2"), tr("Empty the log"));
  connect(clear, &QToolButton::clicked, &model, &LogModel::clear);

  view_->setModel(filter);
  view_->setAccessibleName(tr("Log"));
  view_->setUniformItemSizes(true);
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setTextElideMode(Qt::ElideRight);
  connect(&model, &QAbstractItemModel::rowsInserted, this, [this] {
    if (isVisible()) model_.markRead();
    QScrollBar& bar = *view_->verticalScrollBar();
    if (bar.value() >= bar.maximum() - 1) view_->scrollToBottom();
  });

  auto* top = new QHBoxLayout;
  top->setSpacing(8);
  top->addWidget(search, 1);
  top->addWidget(warnings);
  top->addWidget(copy);
  top->addWidget(clear);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 8);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(view_, 1);
}

void LogPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  model_.markRead();
  view_->scrollToBottom();
}

}  // namespace ck::ui
