#pragma once

#include <QObject>

class QLineEdit;

namespace ck::ui {

// Lets the keys of undo and redo pass from text fields to the window: a field undoes typing that
// was not entered yet, and the document everything else. Qt's fields take the keys whenever they
// have the focus.
class UndoKeys : public QObject {
  Q_OBJECT

 public:
  // Watches all fields of the program while it lives.
  explicit UndoKeys(QObject* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void noteEntered();
};

}  // namespace ck::ui
