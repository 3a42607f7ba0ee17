#include "ui/clips/clip_model.h"

#include <QFont>
#include <QLocale>
#include <QMimeData>
#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "ui/doctor/examination.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/clip_thumbnails.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

const QString kRowsMime = QStringLiteral("application/x-crowdkiln-clip-rows");

}  // namespace

QString loopTitle(LoopMode mode) {
  const QString titles[] = {ClipModel::tr("Loop"), ClipModel::tr("Once"),
                            ClipModel::tr("Ping-pong")};
  return titles[int(mode)];
}

QList<std::pair<QString, std::optional<LoopMode>>> loopChoices() {
  return {{ClipModel::tr("As measured"), std::nullopt},
          {loopTitle(LoopMode::Loop), LoopMode::Loop},
          {loopTitle(LoopMode::Once), LoopMode::Once},
          {loopTitle(LoopMode::PingPong), LoopMode::PingPong}};
}

QList<std::pair<QString, RootMotion>> rootMotionChoices() {
  return {{ClipModel::tr("Keep"), RootMotion::Keep},
          {ClipModel::tr("In place"), RootMotion::Strip},
          {ClipModel::tr("Actors walk by it"), RootMotion::Extract}};
}

QString seamTitle(Seam seam) {
  const QString titles[] = {ClipModel::tr("Open"), ClipModel::tr("Closes"),
                            ClipModel::tr("Adds a step")};
  return titles[int(seam)];
}

ClipModel::ClipModel(Document& document, const Session& session, ClipThumbnails* thumbnails,
                     QObject* parent)
    : RowModel(parent),
      document_(document),
      session_(session),
      thumbnails_(thumbnails),
      clips_(clipsOf(document.project(), 0)) {
  addColumn(tr("Clip"),
            tr("Ticked clips are baked, in this order. F2 renames, dragging moves a clip"),
            Align::Text);
  addColumn(tr("Length"), tr("As it plays: cut and at its rate"));
  addColumn(tr("Frames"), tr("Rows in the atlas, the end frame included"));
  addColumn(tr("KB"), tr("What the clip costs in the atlas"));
  addColumn(tr("Seam"),
            tr("Whether the last pose leads back to the first, as measured or set by hand"),
            Align::Text);
  addColumn(tr("Ends"), tr("What happens at the end of the clip, as measured or set by hand"),
            Align::Text);
  addColumn({}, tr("How much the doctor found; a click shows it"));
  rows_ = int(clips_.size());
  connect(&document, &Document::changed, this, &ClipModel::follow);
  connect(&session, &Session::changed, this, &ClipModel::follow);
  connect(&session, &Session::costChanged, this, &ClipModel::refresh);
  connect(&session, &Session::rigsChanged, this, &ClipModel::refresh);
  if (thumbnails) connect(thumbnails, &ClipThumbnails::changed, this, &ClipModel::refresh);
}

void ClipModel::setExamination(const Examination& examination) {
  examination_ = &examination;
  connect(&examination, &Examination::changed, this, &ClipModel::refresh);
  refresh();
}

int ClipModel::character() const {
  return character_ < characterCount(document_.project()) ? character_ : 0;
}

void ClipModel::setCharacter(int character) {
  character_ = character;
  follow();
}

bool ClipModel::isEditable() const {
  return !isFromProject(baseCharacter(document_.project(), character()));
}

QString ClipModel::whyNotEditable() const {
  if (isEditable()) return {};
  return tr("The clips of %1 are edited in its own project")
      .arg(nameText(characterTitle(document_.project(), character())));
}

void ClipModel::follow() {
  const Project& project = document_.project();
  std::vector<ProjectClip> now;
  for (std::size_t i = 0; i < clipsOf(project, character()).size(); ++i) {
    now.push_back(session_.clip(character(), int(i)));
  }
  // On another rig, a clip of the same name is another clip.
  const std::string rig = baseOf(project, character()) == 0
                              ? std::string()
                              : baseCharacter(project, character()).sources.front().path;
  const bool sameRig = std::exchange(rig_, rig) == rig;
  if (sameRig && now == clips_) return;
  if (!sameRig) emit rigChanged();
  const bool sameNames =
      sameRig && std::ranges::equal(now, clips_, {}, &ProjectClip::name, &ProjectClip::name);
  if (!sameNames) beginResetModel();
  clips_ = std::move(now);
  rows_ = int(clips_.size());
  if (!sameNames) return endResetModel();
  refresh();
}

void ClipModel::refresh() {
  showRows(rows_);
}

// Rows follow later than the project.
bool ClipModel::isKnown(int row) const {
  return row < int(clipsOf(document_.project(), character()).size());
}

const BakeWindow* ClipModel::window(int row) const {
  return isKnown(row) ? session_.window(character(), row) : nullptr;
}

const Clip* ClipModel::source(int row) const {
  const CharacterPtr rig = session_.character(character());
  if (!rig || row >= rows_) return nullptr;
  const auto found = clipNamed(*rig, clip(row).name);
  return found ? &rig->clips[*found] : nullptr;
}

bool ClipModel::isPose(int row) const {
  const Clip* whole = source(row);
  return whole && whole->durationSeconds <= 0.0;
}

bool ClipModel::isMissing(int row) const {
  return session_.character(character()) && row < rows_ && !source(row);
}

Trim ClipModel::cut(int row) const {
  if (const auto& trim = clip(row).edit.trim) return *trim;
  const Clip* whole = source(row);
  return whole ? Trim{whole->startSeconds, whole->startSeconds + whole->durationSeconds} : Trim();
}

QVariant ClipModel::display(int row, int column) const {
  if (column == Name) return textOf(titleOf(clip(row)));
  const QLocale locale;
  if (column == Cost) {
    const std::size_t bytes = isKnown(row) ? session_.bytes(character(), row) : 0;
    return bytes > 0 ? fixedText(double(bytes) / 1024.0, 0) : QString(QChar(0x2013));
  }
  if (column == Findings) {
    const auto count = examination_ ? examination_->of(row).size() : 0;
    return count > 0 ? locale.toString(qulonglong(count)) : QString();
  }
  if (isMissing(row)) return column == Length ? tr("gone") : QString();
  if (isPose(row) && (column == Length || column == Loop)) return tr("Pose");
  if (isPose(row) && column == SeamColumn) return QString(QChar(0x2013));
  const BakeWindow* baked = window(row);
  if (column == Loop && clip(row).loop) return loopTitle(*clip(row).loop);
  if (!baked) return {};
  switch (column) {
    case Length:
      return tr("%1 s").arg(fixedText(baked->durationSeconds, 2));
    case Frames:
      return locale.toString(baked->frameCount);
    case SeamColumn:
      return seamTitle(baked->seam);
    default:
      return loopTitle(baked->loop);
  }
}

QString ClipModel::findings(int row) const {
  QStringList lines;
  if (!examination_) return {};
  for (const ClipFinding& one : examination_->of(row)) lines << sentenceOf(one.message);
  return lines.join(QLatin1Char('\n'));
}

QString ClipModel::explanation(int row, int column) const {
  if (column == Findings) return findings(row);
  if (isMissing(row)) {
    return tr("Its file has it no more. Actors wait for it in the first pose; nothing is lost");
  }
  if (isPose(row) && (column == Length || column == SeamColumn || column == Loop)) {
    return tr("One frame: a pose that actors hold");
  }
  const ProjectClip& one = clip(row);
  const BakeWindow* baked = window(row);
  if (column == Cost && !one.ticked) return tr("Not ticked: not part of the bake");
  if (column == Frames && baked && !baked->stepFrames.empty()) {
    const auto twice = int(baked->stepFrames.size());
    return tr("%1 in time; step keys jump at %2 of them, which are stored twice")
        .arg(counted(baked->frameCount - twice, tr("frame"), tr("frames")))
        .arg(twice);
  }
  if ((column == SeamColumn || column == Loop) && baked) {
    const QString measured = fixedText(baked->seamMm, 2);
    QString text =
        baked->measured == Seam::None
            ? tr("The last pose is %1 mm from the first: it does not close").arg(measured)
        : baked->measured == Seam::Inclusive
            ? tr("The last pose is the first (%1 mm): it closes").arg(measured)
            : tr("Ends one step (%1 mm) before the first pose: the bake adds that step")
                  .arg(measured);
    const bool byHand = column == Loop ? one.loop.has_value() : one.seam != SeamChoice::Auto;
    if (byHand) text += tr("\nSet by hand; the context menu goes back to the measured one");
    return text;
  }
  QStringList facts{textOf(one.name)};
  const QLocale locale;
  if (one.edit.trim) {
    facts << tr("cut to %1 .. %2 s")
                 .arg(fixedText(one.edit.trim->startSeconds, 2),
                      fixedText(one.edit.trim->endSeconds, 2));
  }
  if (one.edit.rate != 1.0) {
    facts << tr("%1 times as fast").arg(locale.toString(one.edit.rate, 'g', 4));
  }
  if (one.edit.root.motion == RootMotion::Strip) facts << tr("in place");
  if (one.edit.root.motion == RootMotion::Extract) facts << tr("actors walk by its way");
  if (one.edit.loopOffset != 0.0) {
    facts << tr("starts at %1 % of its loop").arg(fixedText(100.0 * one.edit.loopOffset, 0));
  }
  return facts.join(QStringLiteral(", "));
}

QVariant ClipModel::decoration(int row, int column) const {
  if (column == SeamColumn || column == Loop) {
    if (isPose(row)) return {};
    const BakeWindow* baked = window(row);
    if (!baked) return {};
    // A pixmap keeps its size, whereas an icon would have the size of the thumbnails.
    const bool open = baked->seam == Seam::None;
    return icon(open ? "log-out" : "refresh-cw", open ? colors::kMuted : colors::kGood)
        .pixmap(QSize(14, 14), 2.0);
  }
  if (column != Name) return {};
  if (row == solo_) return icon("headphones").pixmap(QSize(22, 22), 2.0);
  const BakeWindow* baked = window(row);
  if (!thumbnails_ || !baked) return {};
  // A third of the way into a clip usually shows its typical pose.
  const double seconds =
      baked->startSeconds + 0.34 * baked->motion->durationSeconds * clip(row).edit.rate;
  const QImage image = thumbnails_->thumbnail(clip(row).name, seconds, 2 * kThumbnailPixels);
  if (image.isNull()) return {};
  QImage sharp = image;
  sharp.setDevicePixelRatio(2.0);
  return sharp;
}

QVariant ClipModel::cell(int row, int column, int role) const {
  const ProjectClip& one = clip(row);
  switch (role) {
    case Qt::DisplayRole:
      return display(row, column);
    case Qt::EditRole:
      return column == Name ? display(row, column) : QVariant();
    case Qt::ToolTipRole:
      return explanation(row, column);
    case Qt::CheckStateRole:
      return column == Name ? QVariant(one.ticked ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::AccessibleTextRole:
      return column == Findings ? QVariant(findings(row)) : QVariant();
    case Qt::ForegroundRole:
      if (column == Findings && examination_) {
        const std::vector<ClipFinding> found = examination_->of(row);
        const bool bad = std::ranges::count(found, FindingLevel::Bad, &ClipFinding::level) > 0;
        return bad ? colors::kError : colors::kWarning;
      }
      if (isMissing(row)) return colors::kWarning;
      return one.ticked ? QVariant() : QVariant(colors::kMuted);
    case Qt::DecorationRole:
      return decoration(row, column);
    case Qt::FontRole: {
      QFont font;
      // Values set by the artist are in italics.
      font.setItalic((column == Loop && one.loop) ||
                     (column == SeamColumn && one.seam != SeamChoice::Auto) ||
                     (column == Length && !(one.edit == ClipEdit{})));
      return font;
    }
    default:
      return {};
  }
}

QVariant ClipModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const bool number = section >= Length && section <= Cost;
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && number) {
    return int(Qt::AlignRight | Qt::AlignVCenter);
  }
  return RowModel::headerData(section, orientation, role);
}

Qt::ItemFlags ClipModel::flags(const QModelIndex& index) const {
  if (!index.isValid() && isEditable()) return Qt::ItemIsDropEnabled;
  return RowModel::flags(index);
}

Qt::ItemFlags ClipModel::abilities(int, int column) const {
  if (!isEditable()) return Qt::NoItemFlags;
  if (column != Name) return Qt::ItemIsDragEnabled;
  return Qt::ItemIsDragEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
}

bool ClipModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != Name || !isEditable()) return false;
  const int row = index.row();
  const QString old = textOf(titleOf(clip(row)));
  if (role == Qt::CheckStateRole) {
    const bool ticked = value.toInt() == Qt::Checked;
    edit((ticked ? tr("Tick %1") : tr("Untick %1")).arg(old), {row},
         [ticked](ProjectClip& one) { one.ticked = ticked; });
    return true;
  }
  if (role != Qt::EditRole) return false;
  const std::string title = utf8Of(value.toString().trimmed());
  const std::vector<ProjectClip>& all = clipsOf(document_.project(), character());
  if (!isFreeTitle(all, std::size_t(row), title)) {
    emit refused(title.empty() ? tr("A clip needs a name")
                               : tr("There is a clip '%1' already").arg(textOf(title)));
    return false;
  }
  edit(tr("Rename %1").arg(old), {row},
       [title](ProjectClip& one) { one.title = title == one.name ? std::string() : title; });
  return true;
}

QStringList ClipModel::mimeTypes() const {
  return {kRowsMime};
}

QMimeData* ClipModel::mimeData(const QModelIndexList& indexes) const {
  std::set<int> rows;
  for (const QModelIndex& index : indexes) rows.insert(index.row());
  QStringList words;
  for (const int row : rows) words << QString::number(row);
  auto* data = new QMimeData;
  data->setData(kRowsMime, words.join(QLatin1Char(' ')).toLatin1());
  return data;
}

bool ClipModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int,
                             const QModelIndex& parent) {
  if (action != Qt::MoveAction || !data->hasFormat(kRowsMime) || !isEditable()) return false;
  Rows rows;
  for (const QByteArray& word : data->data(kRowsMime).split(' ')) {
    bool understood = false;
    const int from = word.toInt(&understood);
    if (!understood || from < 0 || from >= rowCount()) return false;
    rows.push_back(from);
  }
  // A drop onto a row, or below the last one.
  move(rows, row >= 0 ? row : parent.isValid() ? parent.row() : rowCount());
  return true;
}

void ClipModel::change(const QString& text,
                       const std::function<void(std::vector<ProjectClip>&)>& change,
                       const QString& mergeKey) {
  if (!isEditable()) return;
  const int number = character();
  std::vector<ProjectClip> clips = clipsOf(document_.project(), number);
  change(clips);
  document_.edit(
      text, [&](Project& project) { setClips(project, number, clips); }, mergeKey);
}

void ClipModel::edit(const QString& text, const Rows& rows,
                     const std::function<void(ProjectClip&)>& changeOne, const QString& mergeKey) {
  change(
      text,
      [&](std::vector<ProjectClip>& clips) {
        for (const int row : rows) {
          if (std::size_t(row) < clips.size()) changeOne(clips[std::size_t(row)]);
        }
      },
      mergeKey);
}

void ClipModel::endMerge() {
  document_.endMerge();
}

void ClipModel::takeBack(const QString& mergeKey) {
  document_.takeBack(mergeKey);
}

void ClipModel::move(const Rows& rows, int before) {
  if (!isEditable()) return;
  const auto moves = [&rows](int row) { return std::ranges::count(rows, row) > 0; };
  std::vector<int> order(clips_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = order.begin() + std::min(before, rowCount());
  std::stable_partition(order.begin(), place, std::not_fn(moves));
  std::stable_partition(place, order.end(), moves);
  change(tr("Order of clips"), [&order](std::vector<ProjectClip>& clips) {
    std::vector<ProjectClip> moved;
    moved.reserve(order.size());
    for (const int from : order) moved.push_back(clips[std::size_t(from)]);
    clips = std::move(moved);
  });
}

void ClipModel::tick(const QString& text, const std::function<bool(int row, bool ticked)>& wanted) {
  change(text, [&wanted](std::vector<ProjectClip>& clips) {
    for (std::size_t i = 0; i < clips.size(); ++i) {
      clips[i].ticked = wanted(int(i), clips[i].ticked);
    }
  });
}

void ClipModel::tickOnly(const Rows& rows) {
  tick(tr("Tick only %1").arg(counted(qlonglong(rows.size()), tr("clip"), tr("clips"))),
       [&rows](int row, bool) { return std::ranges::count(rows, row) > 0; });
}

void ClipModel::tickAll(bool ticked) {
  tick(ticked ? tr("Tick all clips") : tr("Untick all clips"),
       [ticked](int, bool) { return ticked; });
}

void ClipModel::invertTicks() {
  tick(tr("Invert the ticks"), [](int, bool ticked) { return !ticked; });
}

void ClipModel::setLoop(const Rows& rows, std::optional<LoopMode> loop) {
  edit(tr("End of clips"), rows, [loop](ProjectClip& one) { one.loop = loop; });
}

void ClipModel::setSeam(const Rows& rows, SeamChoice seam) {
  edit(tr("Seam of clips"), rows, [seam](ProjectClip& one) { one.seam = seam; });
}

CharacterPtr ClipModel::rig() const {
  return session_.character(character());
}

void ClipModel::setRootMotion(const Rows& rows, RootMotion motion) {
  if (!isEditable()) return;
  const auto set = [motion](ProjectClip& one) { one.edit.root.motion = motion; };
  if (motion == RootMotion::Strip) return edit(tr("Clips in place"), rows, set);
  if (motion == RootMotion::Keep) return edit(tr("Clips with their way"), rows, set);
  const int number = baseOf(document_.project(), character_);
  document_.edit(tr("Actors walk by the way of clips"), [&](Project& project) {
    std::vector<ProjectClip> clips = clipsOf(project, number);
    for (const int row : rows) {
      if (std::size_t(row) < clips.size()) set(clips[std::size_t(row)]);
    }
    setClips(project, number, clips);
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      Actor actor = project.actors[i];
      if (actor.travels || std::ranges::find(rows, actor.clip) == rows.end()) continue;
      if (baseOf(project, actor.character) != number) continue;
      actor.travels = true;
      project.actors.set(i, actor);
    }
  });
}

void ClipModel::reset(const Rows& rows) {
  edit(tr("Clips as in the file"), rows, [](ProjectClip& one) {
    const bool ticked = one.ticked;
    one = {.name = one.name};
    one.ticked = ticked;
  });
}

void ClipModel::setSolo(int row) {
  solo_ = row;
  refresh();
}

}  // namespace ck::ui
