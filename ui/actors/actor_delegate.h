#pragma once

#include <QStyledItemDelegate>
#include <vector>

namespace ck {
struct ActorColumn;
}

namespace ck::ui {

class ActorFilter;
class ActorModel;
class Selection;

// Shows and edits the cells of the actors table by the kind of their column: a list of words, a
// number, a colour. Numbers take expressions (ui/parts/actor_expression.h) as the fields do. A
// value that is entered for a selected actor applies to all selected ones.
class ActorDelegate : public QStyledItemDelegate {
 public:
  ActorDelegate(const ActorFilter& shown, ActorModel& model, const Selection& selection,
                QObject* parent)
      : QStyledItemDelegate(parent), shown_(shown), model_(model), selection_(selection) {}

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

 private:
  const ActorColumn& columnOf(const QModelIndex& index) const;
  int actorOf(const QModelIndex& index) const;

  // The actors that an entry into this cell changes, in the order of ramps.
  std::vector<int> concerned(const QModelIndex& index) const;
  void enter(const QModelIndex& index, const QVariant& value) const;

  const ActorFilter& shown_;
  ActorModel& model_;
  const Selection& selection_;
};

}  // namespace ck::ui
