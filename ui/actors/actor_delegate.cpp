#include "ui/actors/actor_delegate.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QValidator>

#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/document/selection.h"
#include "ui/parts/number_edit.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

// Keeps a cell open whose text is not understood, and says why.
class ExpressionValidator : public QValidator {
 public:
  explicit ExpressionValidator(NumberEdit& edit) : QValidator(&edit), edit_(edit) {}

  State validate(QString& text, int&) const override {
    return readExpression(text, 1) ? Acceptable : Intermediate;
  }
  void fixup(QString& text) const override { edit_.read(text, 1); }

 private:
  NumberEdit& edit_;
};

}  // namespace

const ActorColumn& ActorDelegate::columnOf(const QModelIndex& index) const {
  return model_.column(index.column());
}

int ActorDelegate::actorOf(const QModelIndex& index) const {
  return shown_.mapToSource(index).row();
}

std::vector<int> ActorDelegate::concerned(const QModelIndex& index) const {
  const int actor = actorOf(index);
  return selection_.contains(actor) ? shown_.inOrder(selection_.actors()) : std::vector{actor};
}

void ActorDelegate::enter(const QModelIndex& index, const QVariant& value) const {
  model_.setActors(concerned(index), columnOf(index), value, actorOf(index));
}

void ActorDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const bool selected = selection_.contains(actorOf(index));
  option->state.setFlag(QStyle::State_Selected, selected);
  // White on the selection's blue, whatever the cell's colour.
  if (selected) option->palette.setBrush(QPalette::Text, option->palette.highlightedText());
}

QWidget* ActorDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                     const QModelIndex& index) const {
  const ActorColumn& column = columnOf(index);
  if (isChoice(column)) {
    auto* box = named(new QComboBox(parent), columnTitle(column));
    box->addItems(model_.choices(column, model_.actor(actorOf(index)).character));
    return box;
  }
  if (isNumber(column)) {
    auto* edit = named(new NumberEdit(parent), columnTitle(column));
    edit->setObjectName(QStringLiteral("cell"));
    edit->setValidator(new ExpressionValidator(*edit));
    return edit;
  }
  if (column.kind == ActorKind::Colour) return named(new QLineEdit(parent), columnTitle(column));
  return QStyledItemDelegate::createEditor(parent, option, index);
}

void ActorDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  const QVariant value = index.data(Qt::EditRole);
  if (auto* box = qobject_cast<QComboBox*>(editor)) {
    box->setCurrentIndex(value.toInt() - int(columnOf(index).range.low));
  } else if (auto* number = qobject_cast<NumberEdit*>(editor)) {
    number->setText(QString::number(value.toDouble(), 'g', 7));
  } else if (auto* line = qobject_cast<QLineEdit*>(editor)) {
    line->setText(value.value<QColor>().name());
  }
}

void ActorDelegate::setModelData(QWidget* editor, QAbstractItemModel*,
                                 const QModelIndex& index) const {
  if (auto* number = qobject_cast<NumberEdit*>(editor)) {
    // Leaving a cell unchanged must not round the stored value.
    if (!number->isModified()) return;
    const ActorColumn& column = columnOf(index);
    const auto formula = number->read(number->text(), model_.randomSeed(), column.stream);
    if (formula) model_.applyFormula(concerned(index), column, *formula);
    return;
  }
  QVariant value;
  if (const auto* box = qobject_cast<QComboBox*>(editor)) {
    value = box->currentIndex() + int(columnOf(index).range.low);
    if (value == index.data(Qt::EditRole)) return;
  } else if (const auto* line = qobject_cast<QLineEdit*>(editor)) {
    value = QColor(line->text());
  }
  enter(index, value);
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
  enter(index, index.data(Qt::CheckStateRole).toInt() != Qt::Checked);
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
