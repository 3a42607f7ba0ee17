#include "ui/actors/actor_model.h"

#include <QColor>
#include <QLocale>
#include <algorithm>
#include <numeric>

#include "core/project/cast.h"
#include "ui/clips/clip_model.h"
#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {

ActorModel::ActorModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent),
      document_(document),
      actors_(document.project().actors),
      clips_(document.project().clips),
      masks_(document.project().masks),
      cast_(document.project().cast),
      ownTitle_(textOf(characterTitle(document.project(), 0))) {
  connect(&document, &Document::changed, this,
          [this](const Project&, const Project& now) { follow(now); });
}

void ActorModel::follow(const Project& project) {
  const bool sameTitles = std::equal(
      project.clips.begin(), project.clips.end(), clips_.begin(), clips_.end(),
      [](const ProjectClip& a, const ProjectClip& b) { return titleOf(a) == titleOf(b); });
  const QString ownTitle = textOf(characterTitle(project, 0));
  const bool sameCast = project.cast == cast_ && (ownTitle == ownTitle_ || cast_.empty());
  ownTitle_ = ownTitle;
  const bool sameWords = sameTitles && sameCast && project.masks == masks_;
  if (project.actors.size() != actors_.size() || !sameWords) {
    beginResetModel();
    actors_ = project.actors;
    clips_ = project.clips;
    masks_ = project.masks;
    cast_ = project.cast;
    endResetModel();
    return;
  }
  if (project.clips != clips_) {
    // Whether a clip is ticked is shown at its actors.
    clips_ = project.clips;
    if (actors_.size() > 0) {
      emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::DecorationRole});
    }
  }
  const std::vector<std::size_t> rows = project.actors.differences(actors_);
  if (rows.empty()) return;
  actors_ = project.actors;
  emit dataChanged(index(int(rows.front()), 0), index(int(rows.back()), kActorFieldCount - 1));
}

int ActorModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(actors_.size());
}

int ActorModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kActorFieldCount;
}

bool ActorModel::playsUntickedClip(const Actor& actor) const {
  const std::vector<ProjectClip>& clips = clipsOf(actor.character);
  return std::size_t(actor.clip) < clips.size() && !clips[std::size_t(actor.clip)].ticked;
}

// As ck::clipsOf(), of what the views have been told of.
const std::vector<ProjectClip>& ActorModel::clipsOf(int character) const {
  const auto member = std::size_t(character) - 1;
  if (character < 1 || member >= cast_.size() || cast_[member].source.path.empty()) return clips_;
  return cast_[member].clips;
}

QString ActorModel::clipName(int character, int clip) const {
  const std::vector<ProjectClip>& clips = clipsOf(character);
  if (clip < 0 || std::size_t(clip) >= clips.size()) return tr("(none)");
  return textOf(titleOf(clips[std::size_t(clip)]));
}

QStringList ActorModel::choices(ActorField field, int character) const {
  if (field == ActorField::Character) {
    QStringList titles{ownTitle_};
    for (const CastMember& member : cast_) titles << textOf(member.title);
    return titles;
  }
  if (field == ActorField::Loop) {
    return {tr("By clip"), loopTitle(LoopMode::Loop), loopTitle(LoopMode::Once),
            loopTitle(LoopMode::PingPong)};
  }
  if (field == ActorField::FadePhase) return {tr("Own"), tr("Synced"), tr("Start")};
  QStringList names;
  if (field == ActorField::Mask) {
    names << tr("None");
    for (const JointMask& mask : masks_) names << textOf(mask.name);
    return names;
  }
  if (field == ActorField::FadeTo) names << tr("None");
  for (std::size_t clip = 0; clip < clipsOf(character).size(); ++clip) {
    names << clipName(character, int(clip));
  }
  return names;
}

// By title, as people see it: the place of each among the titles of all characters. Where there may
// be none, that comes first.
std::vector<double> ActorModel::clipSortKeys(ActorField field) const {
  const int first = firstChoice(field);
  std::vector<QStringList> titles;
  QStringList all;
  for (int c = 0; c < characterCount(); ++c) {
    titles.push_back(choices(field, c).mid(-first));
    all << titles.back();
  }
  all.removeDuplicates();
  std::stable_sort(all.begin(), all.end(), [](const QString& a, const QString& b) {
    return QString::localeAwareCompare(a, b) < 0;
  });
  std::vector<std::vector<double>> places;
  for (const QStringList& ofCharacter : titles) {
    std::vector<double>& place = places.emplace_back();
    for (const QString& title : ofCharacter) place.push_back(double(all.indexOf(title)));
  }
  std::vector<double> keys;
  keys.reserve(actors_.size());
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    const auto character = std::size_t(actors_[i].character);
    const auto choice = std::size_t(choiceOf(actors_[i], field));
    const bool known = character < places.size() && choice < places[character].size();
    keys.push_back(known ? places[character][choice] : -1.0);
  }
  return keys;
}

std::vector<double> ActorModel::sortKeys(ActorField field) const {
  if (isClip(field)) return clipSortKeys(field);
  std::vector<double> keys;
  keys.reserve(actors_.size());
  const auto collect = [&](auto&& key) {
    for (std::size_t i = 0; i < actors_.size(); ++i) keys.push_back(key(actors_[i]));
  };
  if (const NumberField* number = numberField(field)) {
    collect(number->get);
  } else if (isTruth(field)) {
    collect([field](const Actor& actor) { return truthOf(actor, field) ? 1.0 : 0.0; });
  } else if (field == ActorField::Tint) {
    collect([](const Actor& actor) { return double(actor.tint); });
  } else {
    // By name, as people see it: the place of each name among all names.
    const QStringList names = choices(field);
    std::vector<int> order(std::size_t(names.size()));
    std::iota(order.begin(), order.end(), 0);
    if (!isOrderedChoice(field)) {
      // Where there may be none, that comes first.
      std::stable_sort(order.begin() - firstChoice(field), order.end(), [&names](int a, int b) {
        return QString::localeAwareCompare(names[a], names[b]) < 0;
      });
    }
    std::vector<double> place(order.size(), 0.0);
    for (std::size_t i = 0; i < order.size(); ++i) place[std::size_t(order[i])] = double(i);
    const int first = firstChoice(field);
    collect([&](const Actor& actor) {
      const auto choice = std::size_t(choiceOf(actor, field) - first);
      return choice < place.size() ? place[choice] : -1.0;
    });
  }
  return keys;
}

QVariant ActorModel::value(const Actor& actor, ActorField field) const {
  if (const NumberField* number = numberField(field)) return number->get(actor);
  if (isTruth(field)) return truthOf(actor, field);
  if (isChoice(field)) return choiceOf(actor, field);
  return QColor::fromRgb(actor.tint);
}

QVariant ActorModel::display(const Actor& actor, ActorField field) const {
  if (const NumberField* number = numberField(field)) {
    return QLocale().toString(number->get(actor), 'f', number->decimals);
  }
  switch (field) {
    case ActorField::Character:
      return choices(field).value(actor.character);
    case ActorField::Clip:
      return clipName(actor.character, actor.clip);
    case ActorField::FadeTo:
      return actor.fadeClip < 0 ? tr("None") : clipName(actor.character, actor.fadeClip);
    case ActorField::Loop:
      return actor.loop ? loopTitle(*actor.loop) : tr("By clip");
    case ActorField::Tint:
      return QColor::fromRgb(actor.tint).name();
    case ActorField::FadePhase:
    case ActorField::Mask:
      return choices(field).value(choiceOf(actor, field) - firstChoice(field), tr("(none)"));
    default:
      return {};
  }
}

QVariant ActorModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || std::size_t(index.row()) >= actors_.size()) return {};
  const Actor& actor = actors_[std::size_t(index.row())];
  const auto field = ActorField(index.column());
  const bool truth = isTruth(field);
  switch (role) {
    case Qt::DisplayRole:
      return display(actor, field);
    case Qt::EditRole:
      return value(actor, field);
    case Qt::CheckStateRole:
      return truth ? QVariant(value(actor, field).toBool() ? Qt::Checked : Qt::Unchecked)
                   : QVariant();
    case Qt::DecorationRole:
      if (field == ActorField::Clip && playsUntickedClip(actor)) {
        return icon("triangle-alert", colors::kWarning);
      }
      return field == ActorField::Tint ? QVariant(QColor::fromRgb(actor.tint)) : QVariant();
    case Qt::ForegroundRole:
      return isChoice(field) && choiceOf(actor, field) < 0 ? QVariant(colors::kMuted) : QVariant();
    case Qt::TextAlignmentRole:
      return numberField(field) ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::ToolTipRole:
      if (field == ActorField::Clip && playsUntickedClip(actor)) {
        return tr("This clip is not ticked, so it is not in the atlas: tick it and bake");
      }
      return {};
    default:
      return {};
  }
}

QVariant ActorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) {
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
  }
  if (role == Qt::DisplayRole) return fieldTitle(ActorField(section));
  if (role == Qt::ToolTipRole) return fieldExplanation(ActorField(section));
  return {};
}

Qt::ItemFlags ActorModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const auto field = ActorField(index.column());
  const Qt::ItemFlags base = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  const bool truth = isTruth(field);
  return base | (truth ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable);
}

bool ActorModel::assign(Actor& actor, ActorField field, const QVariant& value) const {
  if (const NumberField* number = numberField(field)) {
    bool understood = false;
    const double typed = value.toDouble(&understood);
    if (understood) setNumber(actor, *number, typed);
    return understood;
  }
  if (isTruth(field)) {
    setTruth(actor, field, value.toBool());
    return true;
  }
  if (isChoice(field)) {
    const int choice = value.toInt();
    const int first = firstChoice(field);
    if (choice < first || choice - first >= int(choices(field, actor.character).size())) {
      return false;
    }
    setChoice(actor, field, choice);
    return true;
  }
  const QColor color = value.value<QColor>();
  if (!color.isValid()) return false;
  actor.tint = color.rgb() & 0xffffff;
  return true;
}

// The clip of a character that is called like this one of another; -2 where it has none.
int ActorModel::clipOf(int character, int other, int clip) const {
  const std::vector<ProjectClip>& theirs = clipsOf(other);
  const std::vector<ProjectClip>& ours = clipsOf(character);
  if (clip < 0 || &theirs == &ours) return clip;
  const std::string& title = titleOf(theirs[std::size_t(clip)]);
  const auto found = std::find_if(
      ours.begin(), ours.end(), [&title](const ProjectClip& one) { return titleOf(one) == title; });
  return found == ours.end() ? -2 : int(found - ours.begin());
}

bool ActorModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const auto field = ActorField(index.column());
  const bool truth = isTruth(field);
  if (!index.isValid() || role != (truth ? Qt::CheckStateRole : Qt::EditRole)) return false;
  const int row = index.row();
  return setActors(std::span(&row, 1), field, value);
}

bool ActorModel::setActors(std::span<const int> actors, ActorField field, const QVariant& value,
                           int reference) {
  Actor probe;
  if (reference < 0 && !actors.empty()) reference = actors.front();
  if (std::size_t(reference) < actors_.size()) probe.character = actor(reference).character;
  const int from = probe.character;
  if (!assign(probe, field, value)) return false;
  // The value is read once; every actor then takes what the probe got.
  const NumberField* number = numberField(field);
  editActors(actors, field, [&](Actor& actor, std::size_t) {
    if (number) {
      number->set(actor, number->get(probe));
    } else if (isTruth(field)) {
      setTruth(actor, field, truthOf(probe, field));
    } else if (field == ActorField::Character) {
      actor = recast(document_.project(), actor, probe.character);
    } else if (isClip(field)) {
      const int clip = clipOf(actor.character, from, choiceOf(probe, field));
      if (clip >= firstChoice(field)) setChoice(actor, field, clip);
    } else if (isChoice(field)) {
      setChoice(actor, field, choiceOf(probe, field));
    } else {
      actor.tint = probe.tint;
    }
  });
  return true;
}

void ActorModel::editActors(std::span<const int> actors, ActorField field,
                            const std::function<void(Actor&, std::size_t place)>& change) {
  const QString text =
      tr("%1 of %2")
          .arg(fieldTitle(field), counted(qlonglong(actors.size()), tr("actor"), tr("actors")));
  document_.edit(text, [&](Project& project) {
    for (std::size_t place = 0; place < actors.size(); ++place) {
      const auto row = std::size_t(actors[place]);
      if (row >= project.actors.size()) continue;
      Actor actor = project.actors[row];
      change(actor, place);
      project.actors.set(row, actor);
    }
  });
}

}  // namespace ck::ui
