#include "ui/history/history_panel.h"

#include "ui/document/document.h"
#include "ui/theme/theme.h"

namespace ck::ui {

HistoryPanel::HistoryPanel(Document& document, QWidget* parent)
    : QUndoView(&document.undoStack(), parent) {
  setAccessibleName(tr("Undo history"));
  setToolTip(
      tr("Every step since the project was opened; a click goes back or forward to it. The "
         "disk marks the state that is in the file"));
  setEmptyLabel(tr("As opened"));
  setCleanIcon(icon("save"));
  setUniformItemSizes(true);
}

}  // namespace ck::ui
