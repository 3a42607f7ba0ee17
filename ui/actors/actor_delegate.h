#pragma once

#include <QStyledItemDelegate>

namespace ck {
struct ActorColumn;
}

namespace ck::ui {

class ActorFilter;
class ActorModel;
class Selection;

// Shows and edits the cells of the actors table by the kind of their column: a list of words, a
// number box with the column's range, a colour.
class ActorDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  ActorDelegate(const ActorFilter& shown, const Selection& selection, QObject* parent = nullptr);

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  void setModelData(QWidget* editor, QAbstractItemModel* model,
                    const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 protected:
  // The selected state is that of the Selection.
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 signals:
  // A cell of a selected row was edited. The view's owner applies the value to the whole selection.
  void valueEntered(const QModelIndex& index, const QVariant& value) const;

 private:
  const ActorModel& model() const;
  const ActorColumn& columnOf(const QModelIndex& index) const;

  const ActorFilter& shown_;
  const Selection& selection_;
};

}  // namespace ck::ui
