#include "ui/characters/props_box.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QTableView>
#include <QToolButton>

#include "ui/characters/prop_model.h"
#include "ui/document/prop_session.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {
namespace {

constexpr int kMostHeight = 150;

}  // namespace

PropsBox::PropsBox(Document& document, PropSession& props, QWidget* parent)
    : QWidget(parent),
      props_(props),
      model_(new PropModel(document, props, this)),
      table_(new QTableView),
      remove_(iconButton("trash-2", tr("Take the prop out of the scene"))) {
  table_->setModel(model_);
  table_->setAccessibleName(tr("Props"));
  showAsList(*table_);
  table_->setMaximumHeight(kMostHeight);
  const int widths[PropModel::kColumns] = {150, 52, 52, 52, 52, 52};
  for (int column = 0; column < PropModel::kColumns; ++column) {
    table_->setColumnWidth(column, widths[column]);
  }
  QToolButton* add = iconButton("plus", tr("Add props from files with meshes"));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  buttons->addWidget(add);
  buttons->addWidget(remove_);
  buttons->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(7);
  layout->addWidget(table_, 1);
  layout->addLayout(buttons);
  connect(add, &QToolButton::clicked, this, &PropsBox::addAsked);
  connect(remove_, &QToolButton::clicked, this, [this] { props_.remove(current()); });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &PropsBox::showState);
  connect(model_, &QAbstractItemModel::modelReset, this, &PropsBox::showState);
  showState();
}

int PropsBox::current() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.first().row();
}

void PropsBox::showState() {
  setVisible(model_->rowCount() > 0);
  remove_->setEnabled(current() >= 0);
}

}  // namespace ck::ui
