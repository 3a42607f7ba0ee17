#include "ui/characters/props_box.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLocale>
#include <QTableView>
#include <QToolButton>
#include <cmath>

#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kFarthest = 1e6;
constexpr int kMostHeight = 150;

// The member of a prop for a column other than the name.
template <class AProp>
auto& numberOf(AProp& prop, int column) {
  switch (column) {
    case PropModel::X:
    case PropModel::Y:
    case PropModel::Z:
      return prop.position[column - PropModel::X];
    case PropModel::Yaw:
      return prop.yawDegrees;
    default:
      return prop.scale;
  }
}

}  // namespace

PropModel::PropModel(Document& document, const PropSession& props, QObject* parent)
    : RowModel(parent), document_(document), props_(props) {
  addColumn(tr("Prop"), tr("The file of the mesh; it stands as it is at rest"), Align::Text);
  addColumn(tr("X"), tr("Metres to the right"));
  addColumn(tr("Y"), tr("Metres up"));
  addColumn(tr("Z"), tr("Metres to the front"));
  addColumn(tr("Turn"), tr("Degrees about the vertical"));
  addColumn(tr("Scale"), tr("Times its own size"));
  const auto refresh = [this] { showRows(int(document_.project().props.size())); };
  connect(&props, &PropSession::changed, this, refresh);
  refresh();
}

QString PropModel::name(int prop) const {
  return QFileInfo(textOf(document_.project().props[std::size_t(prop)].source.path)).fileName();
}

QVariant PropModel::cell(int prop, int column, int role) const {
  // Rows follow later than the project.
  if (std::size_t(prop) >= document_.project().props.size()) return {};
  const Prop& placed = document_.project().props[std::size_t(prop)];
  const bool isName = column == Name;
  switch (role) {
    case Qt::DisplayRole:
      return isName ? name(prop) : QLocale().toString(numberOf(placed, column), 'g', 5);
    case Qt::EditRole:
      return isName ? QVariant(name(prop)) : QVariant(double(numberOf(placed, column)));
    case Qt::ToolTipRole:
      if (const QString problem = props_.problem(prop); !problem.isEmpty()) return problem;
      return isName ? QVariant(textOf(placed.source.path)) : QVariant();
    case Qt::DecorationRole:
      if (!isName || props_.problem(prop).isEmpty()) return {};
      return icon("triangle-alert", colors::kWarning);
    case Qt::ForegroundRole:
      return props_.isThere(prop) ? QVariant() : QVariant(colors::kMuted);
    default:
      return {};
  }
}

Qt::ItemFlags PropModel::abilities(int, int column) const {
  return column == Name ? Qt::NoItemFlags : Qt::ItemIsEditable;
}

bool PropModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.column() == Name) return false;
  bool read = false;
  const double number = value.toDouble(&read);
  if (!read || !(std::abs(number) <= kFarthest)) return false;
  const float kept = float(number);
  if (index.column() == Scale && kept == 0.0f) return false;
  document_.edit(tr("Move prop %1").arg(name(index.row())), [&](Project& project) {
    numberOf(project.props[std::size_t(index.row())], index.column()) = kept;
    props_.settle(project);
  });
  return true;
}

PropsBox::PropsBox(Document& document, PropSession& props, QWidget* parent)
    : QWidget(parent),
      model_(new PropModel(document, props, this)),
      table_(named(new QTableView, tr("Props"))),
      remove_(iconButton("trash-2", tr("Take the prop out of the scene"))) {
  table_->setModel(model_);
  showAsList(*table_, {150, 52, 52, 52, 52, 52});
  table_->setMaximumHeight(kMostHeight);
  QToolButton* add = iconButton("plus", tr("Add props from files with meshes"));
  layOutColumn(*this, {}, 7, {{table_, 1}, rowOf({add, remove_, {}}, 4)});
  connect(add, &QToolButton::clicked, this, &PropsBox::addAsked);
  connect(remove_, &QToolButton::clicked, &props,
          [this, &props] { props.remove(selectedRow(*table_)); });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &PropsBox::showState);
  connect(model_, &QAbstractItemModel::modelReset, this, &PropsBox::showState);
  showState();
}

void PropsBox::showState() {
  setVisible(model_->rowCount() > 0);
  remove_->setEnabled(selectedRow(*table_) >= 0);
}

}  // namespace ck::ui
