#include "ui/log/log_model.h"

#include <QMetaObject>
#include <QTime>

#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {

LogModel::LogModel() {
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
  const QString text = textOf(line.text);
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
  QStandardItemModel::clear();
  markRead();
}

}  // namespace ck::ui
