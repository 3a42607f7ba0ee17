#include "ui/actors/actor_model.h"

#include <QColor>
#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "core/project/actors/actor_edits.h"
#include "core/project/actors/respawn.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {

namespace {

QString translated(std::string_view text) {
  return QCoreApplication::translate("ActorColumn", std::string(text).c_str());
}

// The rank of every name in `all`, in the order in which a user would sort them.
std::vector<double> placesAmong(QStringList all, const QStringList& names) {
  all.removeDuplicates();
  std::stable_sort(all.begin(), all.end(), [](const QString& a, const QString& b) {
    return QString::localeAwareCompare(a, b) < 0;
  });
  std::vector<double> places;
  for (const QString& name : names) places.push_back(double(all.indexOf(name)));
  return places;
}

}  // namespace

QString columnTitle(const ActorColumn& column) {
  return translated(column.title);
}

QString columnTip(const ActorColumn& column) {
  QString tip = translated(column.tip);
  if (!isNumber(column)) return tip;
  if (!column.unit.empty()) tip += QStringLiteral("; ") + translated(column.unit);
  const auto number = [](double value) { return QString::number(value, 'g', 6); };
  return ActorModel::tr("%1%2 %3 to %4")
      .arg(tip, QLatin1String(column.unit.empty() ? ";" : ","), number(column.range.low),
           number(column.range.high));
}

ActorModel::ActorModel(Document& document, QObject* parent, std::span<const ActorColumn> columns)
    : RowModel(parent), document_(document), told_(document.project()) {
  for (const ActorColumn& column : columns) columns_.push_back(&column);
  std::stable_sort(columns_.begin(), columns_.end(),
                   [](const ActorColumn* a, const ActorColumn* b) { return a->group < b->group; });
  for (const ActorColumn* column : columns_) {
    addColumn(columnTitle(*column), columnTip(*column),
              isNumber(*column) ? Align::Number : Align::Text);
  }
  rows_ = int(told_.actors.size());
  connect(&document, &Document::changed, this,
          [this](const Project&, const Project& now) { follow(now); });
}

int ActorModel::sectionOf(const QString& title) const {
  const auto plain = [](const QString& text) { return text.toLower().remove(QLatin1Char(' ')); };
  const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const ActorColumn* each) {
    return plain(textOf(each->title)) == plain(title);
  });
  return found == columns_.end() ? -1 : int(found - columns_.begin());
}

// Whether both projects have equal names of characters, clips, masks, groups and crowds.
static bool sameWords(const Project& a, const Project& b) {
  if (characterCount(a) != characterCount(b) || a.masks != b.masks || a.groups != b.groups ||
      !std::ranges::equal(a.crowds, b.crowds, {}, &ProjectCrowd::name, &ProjectCrowd::name)) {
    return false;
  }
  for (int c = 0; c < characterCount(a); ++c) {
    const std::vector<ProjectClip>& clipsA = clipsOf(a, c);
    const std::vector<ProjectClip>& clipsB = clipsOf(b, c);
    const bool same = std::equal(
        clipsA.begin(), clipsA.end(), clipsB.begin(), clipsB.end(),
        [](const ProjectClip& x, const ProjectClip& y) { return titleOf(x) == titleOf(y); });
    if (!same || characterTitle(a, c) != characterTitle(b, c)) return false;
  }
  return true;
}

void ActorModel::follow(const Project& project) {
  if (project.actors.size() != told_.actors.size() || !sameWords(project, told_)) {
    beginResetModel();
    told_ = project;
    rows_ = int(told_.actors.size());
    endResetModel();
    return;
  }
  const Project before = std::exchange(told_, project);
  if (!(before.characters == project.characters) && rows_ > 0) {
    // The tick of a clip is shown at its actors.
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DecorationRole});
  }
  const std::vector<std::size_t> rows = project.actors.differences(before.actors);
  if (rows.empty()) return;
  emit dataChanged(index(int(rows.front()), 0), index(int(rows.back()), columnCount() - 1));
}

bool ActorModel::playsUntickedClip(const Actor& actor) const {
  const std::vector<ProjectClip>& clips = clipsOf(told_, actor.character);
  return std::size_t(actor.clip) < clips.size() && !clips[std::size_t(actor.clip)].ticked;
}

int ActorModel::choiceCount(const ActorColumn& column, int character) const {
  const int none = column.range.low < 0.0 ? 1 : 0;
  if (column.kind == ActorKind::Choice) return int(column.words.size());
  if (column.kind == ActorKind::Character) return characterCount();
  if (column.kind == ActorKind::Mask) return none + int(told_.masks.size());
  if (column.kind == ActorKind::Group) return none + int(told_.groups.size());
  if (column.kind == ActorKind::Crowd) return int(told_.crowds.size());
  return none + int(clipsOf(told_, character).size());
}

QString ActorModel::choice(const ActorColumn& column, int character, int value) const {
  const int place = value - int(column.range.low);
  if (place < 0 || place >= choiceCount(column, character)) return tr("(none)");
  if (column.kind == ActorKind::Choice) return translated(column.words[std::size_t(place)].title);
  if (value < 0) return tr("None");
  const auto index = std::size_t(value);
  if (column.kind == ActorKind::Mask) return nameText(told_.masks[index].name);
  if (column.kind == ActorKind::Group) return nameText(told_.groups[index]);
  if (column.kind == ActorKind::Crowd) return nameText(told_.crowds[index].name);
  if (column.kind == ActorKind::Clip) return nameText(titleOf(clipsOf(told_, character)[index]));
  return nameText(characterTitle(told_, value));
}

QStringList ActorModel::choices(const ActorColumn& column, int character) const {
  QStringList names;
  const int first = int(column.range.low);
  for (int i = 0; i < choiceCount(column, character); ++i) {
    names << choice(column, character, first + i);
  }
  return names;
}

// Choices are sorted by name over all characters. Words with an order of their own keep it, and
// "none" comes first.
std::vector<double> ActorModel::sortKeys(const ActorColumn& column) const {
  std::vector<double> keys;
  keys.reserve(told_.actors.size());
  if (!isReference(column)) {
    for (std::size_t i = 0; i < told_.actors.size(); ++i)
      keys.push_back(column.get(told_.actors[i]));
    return keys;
  }
  const int first = int(column.range.low);
  const bool ofCharacter = column.kind == ActorKind::Clip;
  std::vector<QStringList> names;
  QStringList all;
  for (int c = 0; c < (ofCharacter ? characterCount() : 1); ++c) {
    names.push_back(choices(column, c).mid(-first));
    all << names.back();
  }
  std::vector<std::vector<double>> places;
  places.reserve(names.size());
  for (const QStringList& each : names) places.push_back(placesAmong(all, each));
  for (std::size_t i = 0; i < told_.actors.size(); ++i) {
    const auto character = ofCharacter ? std::size_t(told_.actors[i].character) : 0;
    const auto choice = std::size_t(int(column.get(told_.actors[i])));
    const bool known = character < places.size() && choice < places[character].size();
    keys.push_back(known ? places[character][choice] : -1.0);
  }
  return keys;
}

QString ActorModel::display(const Actor& actor, const ActorColumn& column) const {
  const double value = column.get(actor);
  if (isNumber(column)) return fixedText(value, column.decimals);
  if (column.kind == ActorKind::Colour) return QColor::fromRgb(QRgb(value)).name();
  if (column.kind == ActorKind::Flag) return {};
  return choice(column, actor.character, int(value));
}

QVariant ActorModel::cell(int row, int section, int role) const {
  const Actor& actor = this->actor(row);
  const ActorColumn& column = this->column(section);
  const double value = column.get(actor);
  const bool colour = column.kind == ActorKind::Colour;
  const bool flag = column.kind == ActorKind::Flag;
  const bool unticked = column.kind == ActorKind::Clip && value >= 0.0 && column.range.low >= 0.0 &&
                        playsUntickedClip(actor);
  switch (role) {
    case Qt::DisplayRole:
      return display(actor, column);
    case Qt::EditRole:
      if (isNumber(column)) return value;
      if (isChoice(column)) return int(value);
      return colour ? QVariant(QColor::fromRgb(QRgb(value))) : QVariant(value != 0.0);
    case Qt::CheckStateRole:
      return flag ? QVariant(value != 0.0 ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DecorationRole:
      if (unticked) return icon("triangle-alert", colors::kWarning);
      return colour ? QVariant(QColor::fromRgb(QRgb(value))) : QVariant();
    case Qt::ForegroundRole:
      return isChoice(column) && value < 0.0 ? QVariant(colors::kMuted) : QVariant();
    case Qt::ToolTipRole:
      return unticked ? tr("This clip is not ticked, so it is not in the atlas: tick it and bake")
                      : QVariant();
    default:
      return {};
  }
}

QVariant ActorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal) return RowModel::headerData(section, orientation, role);
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
  return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
}

Qt::ItemFlags ActorModel::abilities(int, int section) const {
  const bool flag = column(section).kind == ActorKind::Flag;
  return flag ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable;
}

// Parses an input for actors of this character; nothing if the column cannot have the value.
std::optional<double> ActorModel::entered(const ActorColumn& column, const QVariant& value,
                                          int character) const {
  if (column.kind == ActorKind::Flag) return value.toBool() ? 1.0 : 0.0;
  if (column.kind == ActorKind::Colour) {
    const QColor colour = value.value<QColor>();
    return colour.isValid() ? std::optional(double(colour.rgb() & 0xffffff)) : std::nullopt;
  }
  bool understood = false;
  const double number = value.toDouble(&understood);
  if (isNumber(column)) return understood ? std::optional(number) : std::nullopt;
  const double place = number - column.range.low;
  const bool there = place >= 0.0 && place < choiceCount(column, character);
  return there ? std::optional(number) : std::nullopt;
}

bool ActorModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  const ActorColumn& column = this->column(index.column());
  const bool flag = column.kind == ActorKind::Flag;
  if (role != (flag ? Qt::CheckStateRole : Qt::EditRole)) return false;
  const int row = index.row();
  return setActors(std::span(&row, 1), column, value);
}

bool ActorModel::setActors(std::span<const int> actors, const ActorColumn& column,
                           const QVariant& value, int reference) {
  if (reference < 0 && !actors.empty()) reference = actors.front();
  const bool known = std::size_t(reference) < told_.actors.size();
  const int from = known ? actor(reference).character : 0;
  const std::optional<double> wanted = entered(column, value, from);
  if (!wanted) return false;
  editActors(actors, column, [&](Actor& actor, std::size_t) {
    if (column.kind == ActorKind::Clip) {
      // An actor whose character lacks the clip is unchanged.
      const int clip = sameClip(told_, from, int(*wanted), actor.character);
      if (clip >= 0 || *wanted < 0.0) column.set(actor, clip);
    } else {
      setValue(document_.project(), actor, column, *wanted);
    }
  });
  return true;
}

void ActorModel::applyFormula(std::span<const int> actors, const ActorColumn& column,
                              const ActorFormula& formula) {
  const std::vector<glm::dvec2> centers = crowdCenters(document_.project());
  editActors(actors, column, [&](Actor& actor, std::size_t place) {
    const glm::dvec3 position(actor.position);
    const ActorValue value{
        .value = column.get(actor),
        .index = place,
        .count = actors.size(),
        .actor = std::size_t(actors[place]),
        .position = position,
        .aroundCenter = glm::dvec2(position.x, position.z) - centers[std::size_t(actor.crowd)],
        .group = actor.group,
        .crowd = actor.crowd};
    setNumber(actor, column, formula(value));
  });
}

void ActorModel::setValues(std::span<const int> actors, const ActorColumn& column,
                           std::span<const double> values) {
  editActors(actors, column, [&](Actor& actor, std::size_t place) {
    setValue(document_.project(), actor, column, values[place]);
  });
}

void ActorModel::editActors(std::span<const int> actors, const ActorColumn& column,
                            const std::function<void(Actor&, std::size_t place)>& change,
                            const QString& mergeKey) {
  const QString text =
      tr("%1 of %2")
          .arg(columnTitle(column), counted(qlonglong(actors.size()), tr("actor"), tr("actors")));
  document_.edit(
      text,
      [&](Project& project) {
        for (std::size_t place = 0; place < actors.size(); ++place) {
          const auto row = std::size_t(actors[place]);
          if (row >= project.actors.size()) continue;
          Actor actor = project.actors[row];
          change(actor, place);
          markMoved(project.actors[row], actor);
          project.actors.set(row, actor);
        }
      },
      mergeKey);
}

}  // namespace ck::ui
