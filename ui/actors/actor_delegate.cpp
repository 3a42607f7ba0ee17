#include "ui/actors/actor_delegate.h"

#include <QColor>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>

#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/document/selection.h"

namespace ck::ui {

ActorDelegate::ActorDelegate(const ActorFilter& shown, const Selection& selection, QObject* parent)
    : QStyledItemDelegate(parent), shown_(shown), selection_(selection) {}

const ActorModel& ActorDelegate::model() const {
  return *qobject_cast<const ActorModel*>(shown_.sourceModel());
}

const ActorColumn& ActorDelegate::columnOf(const QModelIndex& index) const {
  return model().column(index.column());
}

void ActorDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const bool selected = selection_.contains(shown_.mapToSource(index).row());
  option->state.setFlag(QStyle::State_Selected, selected);
  // White on the selection's blue, whatever the cell's colour.
  if (selected) option->palette.setBrush(QPalette::Text, option->palette.highlightedText());
}

QWidget* ActorDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                     const QModelIndex& index) const {
  const ActorColumn& column = columnOf(index);
  QWidget* editor = nullptr;
  if (isChoice(column)) {
    auto* box = new QComboBox(parent);
    const int actor = shown_.mapToSource(index).row();
    box->addItems(model().choices(column, model().actor(actor).character));
    editor = box;
  } else if (isNumber(column)) {
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(column.range.low, column.range.high);
    box->setDecimals(column.kind == ActorKind::Whole ? 0 : 3);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setFrame(false);
    editor = box;
  } else if (column.kind == ActorKind::Colour) {
    editor = new QLineEdit(parent);
  } else {
    return QStyledItemDelegate::createEditor(parent, option, index);
  }
  editor->setAccessibleName(columnTitle(column));
  return editor;
}

void ActorDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  const QVariant value = index.data(Qt::EditRole);
  if (auto* box = qobject_cast<QComboBox*>(editor)) {
    box->setCurrentIndex(value.toInt() - int(columnOf(index).range.low));
  } else if (auto* number = qobject_cast<QDoubleSpinBox*>(editor)) {
    number->setValue(value.toDouble());
  } else if (auto* line = qobject_cast<QLineEdit*>(editor)) {
    line->setText(value.value<QColor>().name());
  }
}

void ActorDelegate::setModelData(QWidget* editor, QAbstractItemModel*,
                                 const QModelIndex& index) const {
  QVariant value;
  if (const auto* box = qobject_cast<QComboBox*>(editor)) {
    value = box->currentIndex() + int(columnOf(index).range.low);
    if (value == index.data(Qt::EditRole)) return;
  } else if (auto* number = qobject_cast<QDoubleSpinBox*>(editor)) {
    number->interpretText();
    value = number->value();
    // Leaving a cell unchanged must not round the stored value.
    if (std::abs(value.toDouble() - index.data(Qt::EditRole).toDouble()) < 0.0005) return;
  } else if (const auto* line = qobject_cast<QLineEdit*>(editor)) {
    value = QColor(line->text());
  }
  emit valueEntered(index, value);
}

// A click on a check box applies to the whole selection, so the model is not changed directly.
bool ActorDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                const QStyleOptionViewItem& option, const QModelIndex& index) {
  if (!(index.flags() & Qt::ItemIsUserCheckable)) {
    return QStyledItemDelegate::editorEvent(event, model, option, index);
  }
  bool toggled = false;
  if (event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QRect box = item.widget->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator,
                                                           &item, item.widget);
    toggled = mouse->button() == Qt::LeftButton && box.contains(mouse->pos());
  } else if (event->type() == QEvent::KeyPress) {
    toggled = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
  }
  if (!toggled) return false;
  emit valueEntered(index, index.data(Qt::CheckStateRole).toInt() != Qt::Checked);
  return true;
}

void ActorDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  if (columnOf(index).kind != ActorKind::Colour) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  QStyleOptionViewItem plain = option;
  initStyleOption(&plain, index);
  plain.text.clear();
  plain.icon = {};
  plain.features &= ~QStyleOptionViewItem::HasDecoration;
  plain.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
  const QRectF cell(option.rect);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QColor(0, 0, 0, 120));
  painter->setBrush(index.data(Qt::DecorationRole).value<QColor>());
  const QPointF middle = cell.center();
  painter->drawRoundedRect(QRectF(middle.x() - 12, middle.y() - 6, 24, 12), 3, 3);
  painter->restore();
}

}  // namespace ck::ui
