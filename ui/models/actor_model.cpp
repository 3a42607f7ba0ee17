#include "ui/models/actor_model.h"

#include <QColor>
#include <QLocale>

#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {

ActorModel::ActorModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent),
      document_(document),
      actors_(document.project().actors),
      clips_(document.project().clips) {
  connect(&document, &Document::changed, this,
          [this](const Project&, const Project& now) { follow(now); });
}

void ActorModel::follow(const Project& project) {
  if (project.actors.size() != actors_.size() || project.clips != clips_) {
    beginResetModel();
    actors_ = project.actors;
    clips_ = project.clips;
    endResetModel();
    return;
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
  return textOf(clips_[std::size_t(clip)].name);
}

QStringList ActorModel::clipNames() const {
  QStringList names;
  for (const ProjectClip& clip : clips_) names << textOf(clip.name);
  return names;
}

QVariant ActorModel::value(const Actor& actor, ActorField field) const {
  if (const NumberField* number = numberField(field)) return number->get(actor);
  switch (field) {
    case ActorField::Clip:
      return actor.clip;
    case ActorField::Tint:
      return QColor::fromRgb(actor.tint);
    case ActorField::Walks:
      return actor.travels;
    default:
      return actor.on;
  }
}

QVariant ActorModel::display(const Actor& actor, ActorField field) const {
  if (const NumberField* number = numberField(field)) {
    return QLocale().toString(number->get(actor), 'f', number->decimals);
  }
  switch (field) {
    case ActorField::Clip:
      return clipName(actor.clip);
    case ActorField::Tint:
      return QColor::fromRgb(actor.tint).name();
    default:
      return {};
  }
}

QVariant ActorModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || std::size_t(index.row()) >= actors_.size()) return {};
  const Actor& actor = actors_[std::size_t(index.row())];
  const auto field = ActorField(index.column());
  const bool truth = field == ActorField::Walks || field == ActorField::On;
  switch (role) {
    case Qt::DisplayRole:
      return display(actor, field);
    case Qt::EditRole:
      return value(actor, field);
    case kSortRole:
      return field == ActorField::Clip || field == ActorField::Tint ? display(actor, field)
                                                                    : value(actor, field);
    case Qt::CheckStateRole:
      return truth ? QVariant(value(actor, field).toBool() ? Qt::Checked : Qt::Unchecked)
                   : QVariant();
    case Qt::DecorationRole:
      if (field == ActorField::Clip && playsUntickedClip(actor)) {
        return icon("triangle-alert", colors::kWarning);
      }
      return field == ActorField::Tint ? QVariant(QColor::fromRgb(actor.tint)) : QVariant();
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
  const bool truth = field == ActorField::Walks || field == ActorField::On;
  return base | (truth ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable);
}

bool ActorModel::assign(Actor& actor, ActorField field, const QVariant& value) const {
  if (const NumberField* number = numberField(field)) {
    bool understood = false;
    const double typed = value.toDouble(&understood);
    if (understood) setNumber(actor, *number, typed);
    return understood;
  }
  switch (field) {
    case ActorField::Clip: {
      const int clip = value.toInt();
      if (clip < 0 || std::size_t(clip) >= clips_.size()) return false;
      actor.clip = clip;
      return true;
    }
    case ActorField::Tint: {
      const QColor color = value.value<QColor>();
      if (!color.isValid()) return false;
      actor.tint = color.rgb() & 0xffffff;
      return true;
    }
    case ActorField::Walks:
      actor.travels = value.toBool();
      return true;
    default:
      actor.on = value.toBool();
      return true;
  }
}

bool ActorModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const auto field = ActorField(index.column());
  const bool truth = field == ActorField::Walks || field == ActorField::On;
  if (!index.isValid() || role != (truth ? Qt::CheckStateRole : Qt::EditRole)) return false;
  Actor probe = actor(index.row());
  if (!assign(probe, field, value)) return false;
  const int row = index.row();
  editActors(std::span(&row, 1), field,
             [&](Actor& actor, std::size_t) { assign(actor, field, value); });
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
