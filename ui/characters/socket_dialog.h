#pragma once

#include <QDialog>
#include <span>
#include <string>
#include <vector>

#include "core/scene/character.h"

class QLineEdit;
class QListWidget;

namespace ck::ui {

// Asks which nodes without weights are baked as sockets. Deletes itself when closed.
class SocketDialog : public QDialog {
  Q_OBJECT

 public:
  SocketDialog(const Character& character, std::span<const std::string> sockets, QWidget* parent);

  // The ticked nodes, in file order, then names of earlier sockets that the file does not have.
  std::vector<std::string> sockets() const;

 private:
  void filter(const QString& text);

  QLineEdit* search_;
  QListWidget* nodes_;
};

}  // namespace ck::ui
