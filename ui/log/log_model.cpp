#include "ui/log/log_model.h"

#include <QMetaObject>

#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {

LogModel::LogModel(QObject* parent) : QAbstractListModel(parent) {
  attachLogSink([this](const LogLine& line) {
    QMetaObject::invokeMethod(
        this, [this, line] { append(line); }, Qt::QueuedConnection);
  });
}

LogModel::~LogModel() {
  attachLogSink({});
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(lines_.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || std::size_t(index.row()) >= lines_.size()) return {};
  const Line& line = lines_[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("%1   %2").arg(line.time.toString(QStringLiteral("HH:mm:ss")),
                                           textOf(line.line.text));
    case Qt::ToolTipRole:
      return textOf(line.line.text);
    case kLevelRole:
      return int(line.line.level);
    case Qt::AccessibleTextRole:
      return (line.line.level == LogLine::Level::Error     ? tr("Error: %1")
              : line.line.level == LogLine::Level::Warning ? tr("Warning: %1")
                                                           : QStringLiteral("%1"))
          .arg(textOf(line.line.text));
    case Qt::DecorationRole:
      switch (line.line.level) {
        case LogLine::Level::Error:
          return icon("circle-alert", colors::kError);
        case LogLine::Level::Warning:
          return icon("triangle-alert", colors::kWarning);
        default:
          return icon("info", colors::kMuted);
      }
    default:
      return {};
  }
}

void LogModel::append(const LogLine& line) {
  if (int(lines_.size()) >= kMostLines) {
    beginRemoveRows({}, 0, 0);
    lines_.pop_front();
    endRemoveRows();
  }
  beginInsertRows({}, int(lines_.size()), int(lines_.size()));
  lines_.push_back({QTime::currentTime(), line});
  endInsertRows();
  if (line.level >= LogLine::Level::Warning) emit unreadChanged(++unread_);
}

void LogModel::markRead() {
  if (unread_ == 0) return;
  unread_ = 0;
  emit unreadChanged(0);
}

void LogModel::clear() {
  beginResetModel();
  lines_.clear();
  endResetModel();
  markRead();
}

}  // namespace ck::ui
