#pragma once

#include <QStyledItemDelegate>

namespace ck::ui {

class MatchModel;

// Edits the column Matched of a MatchModel: a box with all joints of the rig, in which words are
// looked for by typing, after "by the rules" and "none".
class JointDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit JointDelegate(const MatchModel& model, QObject* parent = nullptr);

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  // Leaves the match as it is where what was typed is no joint.
  void setModelData(QWidget* editor, QAbstractItemModel* model,
                    const QModelIndex& index) const override;

 private:
  const MatchModel& model_;
};

}  // namespace ck::ui
