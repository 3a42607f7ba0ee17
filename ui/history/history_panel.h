#pragma once

#include <QUndoView>

namespace ck::ui {

class Document;

// The undo history as a list, the oldest step first. A click goes to the state after that step.
class HistoryPanel : public QUndoView {
  Q_OBJECT

 public:
  explicit HistoryPanel(Document& document, QWidget* parent = nullptr);
};

}  // namespace ck::ui
