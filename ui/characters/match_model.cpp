#include "ui/characters/match_model.h"

#include <algorithm>
#include <utility>

#include "core/import/clip_fitting.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

QString ruleTitle(MatchRule rule) {
  const QString titles[] = {QString(QChar(0x2013)),         MatchModel::tr("Same name"),
                            MatchModel::tr("But for case"), MatchModel::tr("But for prefix"),
                            MatchModel::tr("Known name"),   MatchModel::tr("By hand")};
  return titles[int(rule)];
}

QString ruleTip(MatchRule rule) {
  const QString tips[] = {
      MatchModel::tr("No rule finds a joint of the rig"),
      MatchModel::tr("Both names are equal"),
      MatchModel::tr("The names differ in capital letters only"),
      MatchModel::tr("The names are equal without their prefixes, as of mixamorig:Hips"),
      MatchModel::tr("Both names are known for this bone of a human figure"),
      MatchModel::tr("It was chosen here, or by a map")};
  return tips[int(rule)];
}

}  // namespace

MatchModel::MatchModel(QObject* parent) : RowModel(parent) {
  addColumn(tr("Joint of the file"), tr("As the file names it"), Align::Text);
  addColumn(tr("Moves"), tr("Whether a clip of the file moves the joint"), Align::Text);
  addColumn(tr("Joint of the rig"),
            tr("What it moves; F2, a double click or typing chooses another one"), Align::Text);
  addColumn(tr("Found by"), tr("The rule that matched the two, the strictest first"), Align::Text);
  addColumn(tr("Rest"), tr("How far the two are turned against each other at rest"));
}

void MatchModel::show(const ClipFitReport& report, const Rig& rig, const ClipFit& fit) {
  beginResetModel();
  report_ = report;
  rig_ = rig;
  read_ = fit;
  draft_ = fit;
  rows_ = int(std::min(report.rows.size(), report.skeleton.joints.size()));
  endResetModel();
}

void MatchModel::setDraft(const ClipFit& draft) {
  if (draft == draft_) return;
  draft_ = draft;
  showRows(rows_);
  emit draftChanged();
}

QStringList MatchModel::rigJoints() const {
  QStringList names;
  for (const ck::Joint& joint : rig_.joints) names << textOf(joint.name);
  return names;
}

const std::string& MatchModel::name(int row) const {
  return report_.skeleton.joints[std::size_t(row)].name;
}

const std::string* MatchModel::chosen(int row) const {
  const auto entry = draft_.joints.find(name(row));
  return entry == draft_.joints.end() ? nullptr : &entry->second;
}

bool MatchModel::isOpen(int row) const {
  return chosen(row) == nullptr && read_.joints.contains(name(row));
}

QString MatchModel::matched(int row) const {
  if (const std::string* ours = chosen(row)) return textOf(*ours);
  const int joint = report_.rows[std::size_t(row)].joint;
  if (isOpen(row) || joint < 0 || std::size_t(joint) >= rig_.joints.size()) return {};
  const std::string& found = rig_.joints[std::size_t(joint)].name;
  const bool taken =
      std::ranges::any_of(draft_.joints, [&](const auto& one) { return one.second == found; });
  return taken ? QString() : textOf(found);
}

bool MatchModel::isLeftOut(int row) const {
  const ClipFitReport::Row& read = report_.rows[std::size_t(row)];
  // A rule may have found a joint that carries nothing.
  const bool idle = read.rule != MatchRule::None && read.joint < 0;
  return read.moves && !idle && chosen(row) == nullptr && matched(row).isEmpty();
}

MatchRule MatchModel::rule(int row) const {
  if (chosen(row) != nullptr) return MatchRule::ByHand;
  return matched(row).isEmpty() ? MatchRule::None : report_.rows[std::size_t(row)].rule;
}

int MatchModel::movingJoints(bool matchedOnly) const {
  int count = 0;
  for (int row = 0; row < rows_; ++row) {
    if (!report_.rows[std::size_t(row)].moves) continue;
    count += !matchedOnly || !matched(row).isEmpty() ? 1 : 0;
  }
  return count;
}

QString MatchModel::summary() const {
  const int moving = movingJoints(false);
  if (moving == 0) return tr("No clip of the file moves a joint");
  return tr("%1 of %2 that move are matched")
      .arg(movingJoints(true))
      .arg(counted(moving, tr("joint"), tr("joints")));
}

std::pair<double, QString> MatchModel::largestRest() const {
  std::pair<double, QString> largest;
  for (int row = 0; row < rows_; ++row) {
    const double degrees = report_.rows[std::size_t(row)].restDegrees;
    if (!matched(row).isEmpty() && degrees > largest.first) {
      largest = {degrees, textOf(name(row))};
    }
  }
  return largest;
}

QString MatchModel::display(int row, int column) const {
  const ClipFitReport::Row& read = report_.rows[std::size_t(row)];
  switch (column) {
    case Joint:
      return textOf(name(row));
    case Moves:
      return read.moves ? tr("yes") : tr("no");
    case Matched:
      if (const QString joint = matched(row); !joint.isEmpty()) return joint;
      return isOpen(row) ? tr("by the rules") : tr("none");
    case Rule:
      return isOpen(row) ? QString() : ruleTitle(rule(row));
    default: {
      // Another match is measured when it is applied.
      const auto was = read_.joints.find(name(row));
      const bool asRead = was == read_.joints.end() ? chosen(row) == nullptr
                                                    : chosen(row) && *chosen(row) == was->second;
      if (matched(row).isEmpty() || !asRead) return QString(QChar(0x2013));
      return tr("%1\u00b0").arg(fixedText(read.restDegrees, 1));
    }
  }
}

QString MatchModel::explanation(int row, int column) const {
  if (column == Rule) return isOpen(row) ? QString() : ruleTip(rule(row));
  if (column == Matched && isOpen(row)) return tr("The rules decide when this is applied");
  if (column == Matched && isLeftOut(row)) {
    return tr("The file moves %1, but nothing of the rig follows it").arg(textOf(name(row)));
  }
  if (column != Joint) return {};
  QStringList path;
  for (int at = row; at >= 0; at = report_.skeleton.joints[std::size_t(at)].parent) {
    path.prepend(textOf(name(at)));
  }
  return path.join(QStringLiteral(" > "));
}

QVariant MatchModel::cell(int row, int column, int role) const {
  switch (role) {
    case Qt::DisplayRole:
      return display(row, column);
    case Qt::EditRole:
      if (column != Matched) return display(row, column);
      return chosen(row) ? QVariant(textOf(*chosen(row))) : byRules();
    case Qt::ToolTipRole:
      return explanation(row, column);
    case Qt::DecorationRole:
      if (column != Matched || !isLeftOut(row)) return {};
      return icon("triangle-alert", colors::kWarning);
    case Qt::ForegroundRole: {
      const ClipFitReport::Row& read = report_.rows[std::size_t(row)];
      if (!read.moves) return colors::kMuted;
      const bool turned = column == Rest && read.restDegrees > kTurnedDegrees;
      if (turned && !matched(row).isEmpty()) return colors::kWarning;
      return column == Matched && matched(row).isEmpty() ? QVariant(colors::kMuted) : QVariant();
    }
    default:
      return {};
  }
}

Qt::ItemFlags MatchModel::abilities(int, int column) const {
  return column == Matched ? Qt::ItemIsEditable : Qt::NoItemFlags;
}

bool MatchModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.column() != Matched) return false;
  ClipFit draft = draft_;
  const std::string& joint = name(index.row());
  if (!value.isValid()) {
    draft.joints.erase(joint);
  } else {
    const std::string wanted = utf8Of(value.toString());
    if (!wanted.empty()) {
      if (!findJoint(rig_, wanted)) return false;
      std::erase_if(draft.joints, [&](const auto& one) { return one.second == wanted; });
    }
    draft.joints[joint] = wanted;
  }
  setDraft(draft);
  return true;
}

MatchFilter::MatchFilter(MatchModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
  setSourceModel(&model);
}

void MatchFilter::setWord(const QString& word) {
  word_ = word;
  invalidateFilter();
}

void MatchFilter::setOnlyLeftOut(bool only) {
  onlyLeftOut_ = only;
  invalidateFilter();
}

bool MatchFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  if (onlyLeftOut_ && !model_.isLeftOut(row)) return false;
  const auto has = [&](int column) {
    return model_.index(row, column).data().toString().contains(word_, Qt::CaseInsensitive);
  };
  return word_.isEmpty() || has(MatchModel::Joint) || has(MatchModel::Matched);
}

}  // namespace ck::ui
