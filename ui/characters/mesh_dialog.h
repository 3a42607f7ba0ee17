#pragma once

#include <QDialog>
#include <span>
#include <string>
#include <vector>

#include "core/scene/character.h"

class QFormLayout;
class QLineEdit;
class QListWidget;

namespace ck::ui {

// Asks which meshes of a character are visible. Deletes itself when closed.
class MeshDialog : public QDialog {
  Q_OBJECT

 public:
  MeshDialog(const Character& character, std::span<const std::string> hidden, QWidget* parent);

  // Asks for a title as well, before the meshes.
  void askTitle(const QString& proposal);
  QString title() const;
  std::vector<std::string> hiddenMeshes() const;

 private:
  QFormLayout* form_;
  QLineEdit* title_ = nullptr;
  QListWidget* meshes_;
};

}  // namespace ck::ui
