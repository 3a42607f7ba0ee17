#include "ui/models/actor_model.h"

#include <QColor>
#include <QLocale>
#include <algorithm>
#include <numeric>

#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/models/clip_model.h"
#include "ui/theme/theme.h"

namespace ck::ui {

ActorModel::ActorModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent),
      document_(document),
      actors_(document.project().actors),
      clips_(document.project().clips),
      masks_(document.project().masks) {
  connect(&document, &Document::changed, this,
          [this](const Project&, const Project& now) { follow(now); });
}

void ActorModel::follow(const Project& project) {
  const bool sameTitles = std::equal(
      project.clips.begin(), project.clips.end(), clips_.begin(), clips_.end(),
      [](const ProjectClip& a, const ProjectClip& b) { return titleOf(a) == titleOf(b); });
  if (project.actors.size() != actors_.size() || !sameTitles || project.masks != masks_) {
    beginResetModel();
    actors_ = project.actors;
    clips_ = project.clips;
    masks_ = project.masks;
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
  return std::size_t(actor.clip) < clips_.size() && !clips_[std::size_t(actor.clip)].ticked;
}

QString ActorModel::clipName(int clip) const {
  if (clip < 0 || std::size_t(clip) >= clips_.size()) return tr("(none)");
  return textOf(titleOf(clips_[std::size_t(clip)]));
}

QStringList ActorModel::choices(ActorField field) const {
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
  for (std::size_t clip = 0; clip < clips_.size(); ++clip) names << clipName(int(clip));
  return names;
}

std::vector<double> ActorModel::sortKeys(ActorField field) const {
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
    case ActorField::Clip:
      return clipName(actor.clip);
    case ActorField::FadeTo:
      return actor.fadeClip < 0 ? tr("None") : clipName(actor.fadeClip);
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
    if (choice < first || choice - first >= int(choices(field).size())) return false;
    setChoice(actor, field, choice);
    return true;
  }
  const QColor color = value.value<QColor>();
  if (!color.isValid()) return false;
  actor.tint = color.rgb() & 0xffffff;
  return true;
}

bool ActorModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const auto field = ActorField(index.column());
  const bool truth = isTruth(field);
  if (!index.isValid() || role != (truth ? Qt::CheckStateRole : Qt::EditRole)) return false;
  const int row = index.row();
  return setActors(std::span(&row, 1), field, value);
}

bool ActorModel::setActors(std::span<const int> actors, ActorField field, const QVariant& value) {
  Actor probe;
  if (!assign(probe, field, value)) return false;
  // The value is read once; every actor then takes what the probe got.
  const NumberField* number = numberField(field);
  editActors(actors, field, [&](Actor& actor, std::size_t) {
    if (number) {
      number->set(actor, number->get(probe));
    } else if (isTruth(field)) {
      setTruth(actor, field, truthOf(probe, field));
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
