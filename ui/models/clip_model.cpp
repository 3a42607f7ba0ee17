#include "ui/models/clip_model.h"

#include <QCoreApplication>
#include <QFont>
#include <QLocale>

#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {

QString loopTitle(LoopMode mode) {
  switch (mode) {
    case LoopMode::Loop:
      return QCoreApplication::translate("ClipModel", "Loop");
    case LoopMode::Once:
      return QCoreApplication::translate("ClipModel", "Once");
    default:
      return QCoreApplication::translate("ClipModel", "Ping-pong");
  }
}

ClipModel::ClipModel(Document& document, const Session& session, QObject* parent)
    : QAbstractTableModel(parent),
      document_(document),
      session_(session),
      clips_(document.project().clips),
      facts_(clips_.size()) {
  refreshFacts();
  connect(&document, &Document::changed, this,
          [this](const Project&, const Project& now) { follow(now); });
  connect(&session, &Session::costChanged, this, &ClipModel::refreshFacts);
  connect(&session, &Session::characterChanged, this, &ClipModel::refreshFacts);
}

void ClipModel::follow(const Project& project) {
  if (project.clips == clips_) return;
  bool sameNames = project.clips.size() == clips_.size();
  for (std::size_t i = 0; sameNames && i < clips_.size(); ++i) {
    sameNames = project.clips[i].name == clips_[i].name;
  }
  if (!sameNames) {
    beginResetModel();
    clips_ = project.clips;
    facts_.assign(clips_.size(), {});
    endResetModel();
    refreshFacts();
    return;
  }
  clips_ = project.clips;
  emit dataChanged(index(0, 0), index(int(clips_.size()) - 1, kColumns - 1));
}

void ClipModel::refreshFacts() {
  if (clips_.empty() || !session_.character()) return;
  const Character& character = *session_.character();
  const BakeSettings settings = bakeInputs(document_.project());
  for (std::size_t row = 0; row < clips_.size(); ++row) {
    Facts& facts = facts_[row];
    facts = {};
    for (std::size_t i = 0; i < character.clips.size(); ++i) {
      if (character.clips[i].name != clips_[row].name) continue;
      const SeamVerdict& seam = session_.seams()[i];
      facts = {character.clips[i].durationSeconds,
               frameCountFor(character.rig, character.clips[i], seam.seam, settings),
               0,
               seam.seam,
               seam.seamMm,
               true};
    }
    if (!session_.cost() || !*session_.cost()) continue;
    for (const BakeCost::ClipCost& cost : (*session_.cost())->clips) {
      if (cost.name == clips_[row].name && clips_[row].ticked) facts.bytes = cost.bytes;
    }
  }
  emit dataChanged(index(0, 0), index(int(clips_.size()) - 1, kColumns - 1));
}

int ClipModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(clips_.size());
}

int ClipModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString ClipModel::loopText(int row) const {
  const ProjectClip& clip = clips_[std::size_t(row)];
  if (clip.loop) return loopTitle(*clip.loop);
  const Facts& facts = facts_[std::size_t(row)];
  if (!facts.known) return {};
  return facts.seam == Seam::None ? tr("Once") : tr("Loop");
}

QVariant ClipModel::display(int row, int column) const {
  const Facts& facts = facts_[std::size_t(row)];
  const QLocale locale;
  switch (column) {
    case Name:
      return textOf(clips_[std::size_t(row)].name);
    case Length:
      return facts.known ? QVariant(tr("%1 s").arg(locale.toString(facts.lengthSeconds, 'f', 2)))
                         : QVariant();
    case Frames:
      return facts.known ? QVariant(locale.toString(facts.frames)) : QVariant();
    case Cost:
      return facts.bytes > 0 ? QVariant(locale.toString(double(facts.bytes) / 1024.0, 'f', 0))
                             : QVariant(QString(QChar(0x2013)));
    default:
      return loopText(row);
  }
}

QString ClipModel::explanation(int row, int column) const {
  const Facts& facts = facts_[std::size_t(row)];
  const ProjectClip& clip = clips_[std::size_t(row)];
  if (column == Cost && !clip.ticked) return tr("Not ticked: not part of the bake");
  if (column != Loop || !facts.known) return textOf(clip.name);
  const QString measured = QLocale().toString(facts.seamMm, 'f', 2);
  QString text = facts.seam == Seam::None
                     ? tr("The last pose is %1 mm from the first: it does not close").arg(measured)
                 : facts.seam == Seam::Inclusive
                     ? tr("The last pose is the first (%1 mm): it closes").arg(measured)
                     : tr("Ends one step before the first pose: the bake adds that step");
  if (clip.loop) text += tr("\nSet by hand; right-click to go back to the measured one");
  return text;
}

QVariant ClipModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || std::size_t(index.row()) >= clips_.size()) return {};
  const ProjectClip& clip = clips_[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return display(index.row(), index.column());
    case Qt::ToolTipRole:
      return explanation(index.row(), index.column());
    case Qt::CheckStateRole:
      return index.column() == Name ? QVariant(clip.ticked ? Qt::Checked : Qt::Unchecked)
                                    : QVariant();
    case Qt::TextAlignmentRole:
      return index.column() == Name || index.column() == Loop
                 ? QVariant()
                 : QVariant(int(Qt::AlignRight | Qt::AlignVCenter));
    case Qt::ForegroundRole:
      return clip.ticked ? QVariant() : QVariant(colors::kMuted);
    case Qt::DecorationRole:
      return index.column() == Name && index.row() == solo_ ? QVariant(icon("headphones"))
                                                            : QVariant();
    case Qt::FontRole: {
      QFont font;
      font.setItalic(index.column() == Loop && clip.loop.has_value());
      return font;
    }
    default:
      return {};
  }
}

QVariant ClipModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  static const char* const kTitles[] = {QT_TR_NOOP("Clip"), QT_TR_NOOP("Length"),
                                        QT_TR_NOOP("Frames"), QT_TR_NOOP("KB"), QT_TR_NOOP("Ends")};
  static const char* const kTips[] = {
      QT_TR_NOOP("Ticked clips are baked"), QT_TR_NOOP("From the first to the last key"),
      QT_TR_NOOP("Rows in the atlas, the end frame included"),
      QT_TR_NOOP("What the clip costs in the atlas"),
      QT_TR_NOOP("What happens at the end of the clip, as measured or set by hand")};
  if (role == Qt::DisplayRole) return tr(kTitles[section]);
  if (role == Qt::ToolTipRole) return tr(kTips[section]);
  if (role == Qt::TextAlignmentRole && section >= Length && section <= Cost) {
    return int(Qt::AlignRight | Qt::AlignVCenter);
  }
  return {};
}

Qt::ItemFlags ClipModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags base = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  return index.column() == Name ? base | Qt::ItemIsUserCheckable : base;
}

bool ClipModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::CheckStateRole || index.column() != Name) return false;
  const auto row = std::size_t(index.row());
  const bool ticked = value.toInt() == Qt::Checked;
  const QString text = (ticked ? tr("Tick %1") : tr("Untick %1")).arg(textOf(clips_[row].name));
  document_.edit(text, [row, ticked](Project& project) { project.clips[row].ticked = ticked; });
  return true;
}

void ClipModel::tickOnly(int row) {
  document_.edit(tr("Tick only %1").arg(textOf(clips_[std::size_t(row)].name)),
                 [row](Project& project) {
                   for (std::size_t i = 0; i < project.clips.size(); ++i) {
                     project.clips[i].ticked = int(i) == row;
                   }
                 });
}

void ClipModel::tickAll(bool ticked) {
  document_.edit(ticked ? tr("Tick all clips") : tr("Untick all clips"),
                 [ticked](Project& project) {
                   for (ProjectClip& clip : project.clips) clip.ticked = ticked;
                 });
}

void ClipModel::setLoop(int row, std::optional<LoopMode> loop) {
  document_.edit(tr("End of %1").arg(textOf(clips_[std::size_t(row)].name)),
                 [row, loop](Project& project) { project.clips[std::size_t(row)].loop = loop; });
}

void ClipModel::setSolo(int row) {
  solo_ = row;
  if (clips_.empty()) return;
  emit dataChanged(index(0, Name), index(int(clips_.size()) - 1, Name), {Qt::DecorationRole});
}

}  // namespace ck::ui
