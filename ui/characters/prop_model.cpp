#include "ui/characters/prop_model.h"

#include <QFileInfo>
#include <QLocale>
#include <cmath>

#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kFarthest = 1e6;

// The member of a prop for a column; null for the name.
template <class AProp>
auto* numberOf(AProp& prop, int column) {
  switch (column) {
    case PropModel::X:
    case PropModel::Y:
    case PropModel::Z:
      return &prop.position[column - PropModel::X];
    case PropModel::Yaw:
      return &prop.yawDegrees;
    default:
      return &prop.scale;
  }
}

}  // namespace

PropModel::PropModel(Document& document, const PropSession& props, QObject* parent)
    : QAbstractTableModel(parent),
      document_(document),
      props_(props),
      rows_(int(document.project().props.size())) {
  connect(&props, &PropSession::changed, this, &PropModel::refresh);
}

void PropModel::refresh() {
  const int now = int(document_.project().props.size());
  if (now == rows_) {
    if (rows_ > 0) emit dataChanged(index(0, 0), index(rows_ - 1, kColumns - 1));
    return;
  }
  beginResetModel();
  rows_ = now;
  endResetModel();
}

int PropModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
}

int PropModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString PropModel::name(int prop) const {
  return QFileInfo(textOf(document_.project().props[std::size_t(prop)].source.path)).fileName();
}

float PropModel::number(int prop, int column) const {
  return *numberOf(document_.project().props[std::size_t(prop)], column);
}

QVariant PropModel::data(const QModelIndex& index, int role) const {
  const int prop = index.row();
  if (!index.isValid() || std::size_t(prop) >= document_.project().props.size()) return {};
  const bool isName = index.column() == Name;
  switch (role) {
    case Qt::DisplayRole:
      if (isName) return name(prop);
      return QLocale().toString(number(prop, index.column()), 'g', 5);
    case Qt::EditRole:
      return isName ? QVariant(name(prop)) : QVariant(double(number(prop, index.column())));
    case Qt::ToolTipRole: {
      const QString problem = props_.problem(prop);
      if (!problem.isEmpty()) return problem;
      if (!isName) return {};
      return textOf(document_.project().props[std::size_t(prop)].source.path);
    }
    case Qt::DecorationRole:
      if (!isName || props_.problem(prop).isEmpty()) return {};
      return icon("triangle-alert", colors::kWarning);
    case Qt::ForegroundRole:
      return props_.isThere(prop) ? QVariant() : QVariant(colors::kMuted);
    case Qt::TextAlignmentRole:
      return isName ? QVariant() : QVariant(int(Qt::AlignRight | Qt::AlignVCenter));
    default:
      return {};
  }
}

QVariant PropModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) return {};
  const QString titles[kColumns] = {tr("Prop"), tr("X"), tr("Y"), tr("Z"), tr("Turn"), tr("Scale")};
  const QString tips[kColumns] = {tr("The file of the mesh; it stands as it is at rest"),
                                  tr("Metres to the right"),
                                  tr("Metres up"),
                                  tr("Metres to the front"),
                                  tr("Degrees about the vertical"),
                                  tr("Times its own size")};
  if (role == Qt::DisplayRole) return titles[section];
  if (role == Qt::ToolTipRole) return tips[section];
  return {};
}

Qt::ItemFlags PropModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags base = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  return index.column() == Name ? base : base | Qt::ItemIsEditable;
}

bool PropModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.column() == Name) return false;
  bool read = false;
  const double number = value.toDouble(&read);
  if (!read || !(std::abs(number) <= kFarthest)) return false;
  const float kept = float(number);
  if (index.column() == Scale && kept == 0.0f) return false;
  document_.edit(tr("Move prop %1").arg(name(index.row())), [&](Project& project) {
    *numberOf(project.props[std::size_t(index.row())], index.column()) = kept;
  });
  return true;
}

}  // namespace ck::ui
