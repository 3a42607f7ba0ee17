#pragma once

#include <QStyledItemDelegate>

namespace ck::ui {

// Editors for the cells of the actors table: a list of clips, a number box with the field's range,
// a colour dialog for the tint.
class ActorDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  void setModelData(QWidget* editor, QAbstractItemModel* model,
                    const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 signals:
  // A cell of a selected row was edited; the view's owner applies it to the whole selection.
  void valueEntered(const QModelIndex& index, const QVariant& value) const;
};

}  // namespace ck::ui
