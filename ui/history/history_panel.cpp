#include "ui/history/history_panel.h"

#include <QStyledItemDelegate>

#include "ui/document/document.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

// Rows as high as in other lists, and high enough for the icon.
class RowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return {QStyledItemDelegate::sizeHint(option, index).width(), kListRowPixels};
  }
};

}  // namespace

HistoryPanel::HistoryPanel(Document& document, QWidget* parent)
    : QUndoView(&document.undoStack(), parent) {
  setAccessibleName(tr("Undo history"));
  setToolTip(
      tr("Every step since the project was opened; a click goes back or forward to it. The "
         "disk marks the state that is in the file"));
  setEmptyLabel(tr("As opened"));
  setCleanIcon(icon("save"));
  setItemDelegate(new RowDelegate(this));
  setUniformItemSizes(true);
  setIconSize({16, 16});
}

}  // namespace ck::ui
