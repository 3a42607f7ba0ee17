#include "ui/characters/socket_dialog.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <algorithm>

#include "ui/document/text.h"
#include "ui/parts/name_views.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {

SocketDialog::SocketDialog(const Character& character, std::span<const std::string> sockets,
                           QWidget* parent)
    : QDialog(parent),
      search_(searchField(tr("Find nodes"))),
      nodes_(named(new QListWidget, tr("Nodes that move no vertex"))) {
  setAttribute(Qt::WA_DeleteOnClose);
  showNames(*nodes_);
  std::vector<std::string> names = character.socketCandidates;
  for (const std::string& socket : sockets) {
    if (std::ranges::find(names, socket) == names.end()) names.push_back(socket);
  }
  for (const std::string& name : names) {
    auto* item = new QListWidgetItem(textOf(name), nodes_);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    const bool isSocket = std::ranges::find(sockets, name) != sockets.end();
    item->setCheckState(isSocket ? Qt::Checked : Qt::Unchecked);
  }
  auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(search_, &QLineEdit::textChanged, this, &SocketDialog::filter);
  auto* about = plainLabel(
      names.empty() ? tr("Every node of this file moves vertices or is moved with them.")
                    : tr("Ticked nodes are baked beside the joints, to hang a sword or a hat on. "
                         "The view shows a cross of the axes at them."));
  about->setWordWrap(true);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(about);
  layout->addWidget(search_);
  layout->addWidget(labelFor(nodes_, tr("&Sockets")));
  layout->addWidget(nodes_, 1);
  layout->addWidget(box);
  resize(360, 420);
}

void SocketDialog::filter(const QString& text) {
  for (int row = 0; row < nodes_->count(); ++row) {
    QListWidgetItem* item = nodes_->item(row);
    item->setHidden(!item->text().contains(text, Qt::CaseInsensitive));
  }
}

std::vector<std::string> SocketDialog::sockets() const {
  std::vector<std::string> ticked;
  for (int row = 0; row < nodes_->count(); ++row) {
    const QListWidgetItem* item = nodes_->item(row);
    if (item->checkState() == Qt::Checked) ticked.push_back(utf8Of(item->text()));
  }
  return ticked;
}

}  // namespace ck::ui
