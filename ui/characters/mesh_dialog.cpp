#include "ui/characters/mesh_dialog.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <algorithm>

#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {

MeshDialog::MeshDialog(const Character& character, std::span<const std::string> hidden,
                       QWidget* parent)
    : QDialog(parent),
      form_(new QFormLayout),
      meshes_(named(new QListWidget, tr("Meshes that are shown"))) {
  setAttribute(Qt::WA_DeleteOnClose);
  for (const Mesh& mesh : character.meshes) {
    auto* item = new QListWidgetItem(
        tr("%1 (%2 triangles)")
            .arg(nameText(mesh.name), QLocale().toString(qulonglong(mesh.indices.size() / 3))),
        meshes_);
    item->setData(Qt::UserRole, textOf(mesh.name));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    const bool isHidden = std::ranges::count(hidden, mesh.name) > 0;
    item->setCheckState(isHidden ? Qt::Unchecked : Qt::Checked);
  }
  auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form_);
  layout->addWidget(labelFor(meshes_, tr("&Shown meshes")));
  layout->addWidget(meshes_, 1);
  layout->addWidget(box);
  resize(360, 380);
}

void MeshDialog::askTitle(const QString& proposal) {
  title_ = named(new QLineEdit(proposal), tr("Title"));
  form_->addRow(tr("&Title"), title_);
  title_->selectAll();
  title_->setFocus();
  auto* ok = findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  connect(title_, &QLineEdit::textChanged, ok,
          [ok](const QString& text) { ok->setEnabled(!text.trimmed().isEmpty()); });
}

QString MeshDialog::title() const {
  return title_ ? title_->text().trimmed() : QString();
}

std::vector<std::string> MeshDialog::hiddenMeshes() const {
  std::vector<std::string> hidden;
  for (int row = 0; row < meshes_->count(); ++row) {
    const QListWidgetItem* item = meshes_->item(row);
    if (item->checkState() != Qt::Checked) {
      hidden.push_back(utf8Of(item->data(Qt::UserRole).toString()));
    }
  }
  return hidden;
}

}  // namespace ck::ui
