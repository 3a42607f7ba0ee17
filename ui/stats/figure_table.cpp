#include "ui/stats/figure_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableWidget>

namespace ck::ui {
namespace {

constexpr int kRowHeight = 22;

}  // namespace

QTableWidget* makeFigureTable(const QStringList& columns, const QString& name) {
  auto* table = new QTableWidget(0, int(columns.size()));
  table->setAccessibleName(name);
  table->setHorizontalHeaderLabels(columns);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(kRowHeight);
  table->verticalHeader()->setMinimumSectionSize(kRowHeight);
  table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (int column = 1; column < columns.size(); ++column) {
    table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
  table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionMode(QAbstractItemView::NoSelection);
  table->setFocusPolicy(Qt::NoFocus);
  table->setShowGrid(false);
  table->setFrameShape(QFrame::NoFrame);
  table->setContextMenuPolicy(Qt::NoContextMenu);
  return table;
}

void setFigure(QTableWidget& table, int row, int column, const QString& text, FigureKind kind) {
  QTableWidgetItem* item = table.item(row, column);
  if (!item) {
    item = new QTableWidgetItem;
    item->setTextAlignment((kind == FigureKind::Name ? Qt::AlignLeft : Qt::AlignRight) |
                           Qt::AlignVCenter);
    table.setItem(row, column, item);
  }
  if (item->text() != text) item->setText(text);
}

QIcon dotIcon(const QColor& color) {
  QPixmap picture(24, 24);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRoundedRect(QRectF(6, 6, 14, 14), 4, 4);
  return QIcon(picture);
}

}  // namespace ck::ui
