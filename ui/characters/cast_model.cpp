#include "ui/characters/cast_model.h"

#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "ui/document/cast_session.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kLargestShare = 1e6;

// Those that are shown of it.
std::size_t trianglesOf(const Character& character, const std::vector<int>& hidden) {
  std::size_t triangles = 0;
  for (std::size_t mesh = 0; mesh < character.meshes.size(); ++mesh) {
    if (std::find(hidden.begin(), hidden.end(), int(mesh)) != hidden.end()) continue;
    triangles += character.meshes[mesh].indices.size() / 3;
  }
  return triangles;
}

}  // namespace

CastModel::CastModel(Document& document, const Session& session, QObject* parent)
    : QAbstractTableModel(parent), document_(document), session_(session) {
  count();
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.cast == now.cast && before.clips == now.clips && before.sources == now.sources &&
        before.spawn == now.spawn && before.actors == now.actors) {
      return;
    }
    refresh();
  });
  connect(&session, &Session::characterChanged, this, &CastModel::refresh);
  connect(&session.cast(), &CastSession::changed, this, &CastModel::refresh);
  connect(&session.cast(), &CastSession::errorChanged, this, &CastModel::refresh);
  connect(&session, &Session::bakeErrorChanged, this, &CastModel::refresh);
}

void CastModel::count() {
  const Project& project = document_.project();
  actors_.assign(std::size_t(characterCount(project)), 0);
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    ++actors_[std::size_t(project.actors[i].character)];
  }
  rows_ = session_.character() || !project.cast.empty() ? characterCount(project) : 0;
}

void CastModel::refresh() {
  const int before = rows_;
  const int now = session_.character() || !document_.project().cast.empty()
                      ? characterCount(document_.project())
                      : 0;
  if (now == before) {
    count();
    if (rows_ > 0) emit dataChanged(index(0, 0), index(rows_ - 1, kColumns - 1));
    return;
  }
  beginResetModel();
  count();
  endResetModel();
}

int CastModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
}

int CastModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

double CastModel::share(int character) const {
  const std::vector<double>& shares = document_.project().spawn.shares;
  if (shares.empty()) return character == 0 ? 1.0 : 0.0;
  return std::size_t(character) < shares.size() ? shares[std::size_t(character)] : 0.0;
}

QString CastModel::source(int character) const {
  const Project& project = document_.project();
  const CastSession& cast = session_.cast();
  if (cast.state(character) == CastState::Refused) return tr("Not there: see the tool tip");
  if (cast.state(character) == CastState::Reading) return tr("Being read");
  if (character == 0) {
    return project.sources.empty() ? QString()
                                   : QFileInfo(textOf(project.sources.front().path)).fileName();
  }
  const CastMember& member = project.cast[std::size_t(character - 1)];
  if (member.source.path.empty()) return tr("Variant of the rig");
  return QFileInfo(textOf(member.source.path)).fileName();
}

// Of the reading that the view draws by default.
QString CastModel::error(int character) const {
  const BakeError* measured = session_.cast().error(character);
  if (measured) return tr("%1 mm").arg(QLocale().toString(measured->palette.maxMm, 'f', 2));
  if (!session_.cast().atlas(character)) return {};
  return session_.cast().isMeasuring(character) ? tr("...") : QString(QChar(0x2013));
}

QString CastModel::toolTip(int character, int column) const {
  const QString problem = session_.cast().problem(character);
  if (!problem.isEmpty()) return problem;
  if (column == Error) {
    const BakeError* measured = session_.cast().error(character);
    if (!measured) {
      if (!session_.cast().atlas(character)) return {};
      return session_.cast().isMeasuring(character)
                 ? tr("It is being measured")
                 : tr("Not measured; the panel Bake can do that");
    }
    const QLocale locale;
    return tr("Through a palette %1 mm at most (%2), joint by joint %3 mm (%4)")
        .arg(locale.toString(measured->palette.maxMm, 'f', 2), textOf(measured->palette.worstClip),
             locale.toString(measured->direct.maxMm, 'f', 2), textOf(measured->direct.worstClip));
  }
  if (column != Source || character == 0) return {};
  return textOf(document_.project().cast[std::size_t(character - 1)].source.path);
}

QVariant CastModel::display(int character, int column) const {
  const Project& project = document_.project();
  const QLocale locale;
  const CharacterPtr rig = session_.cast().character(character);
  switch (column) {
    case Title:
      return textOf(characterTitle(project, character));
    case Share:
      return locale.toString(share(character), 'g', 4);
    case Actors:
      return locale.toString(actors_[std::size_t(character)]);
    case Clips:
      return locale.toString(qulonglong(clipsOf(project, character).size()));
    case Triangles: {
      if (!rig) return {};
      std::vector<int> hidden;
      if (character > 0) {
        hidden = meshesNamed(*rig, project.cast[std::size_t(character - 1)].hiddenMeshes);
      }
      return locale.toString(qulonglong(trianglesOf(*rig, hidden)));
    }
    case Joints:
      return rig ? QVariant(locale.toString(qulonglong(rig->rig.joints.size()))) : QVariant();
    case Error:
      return error(character);
    default:
      return source(character);
  }
}

QVariant CastModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_) return {};
  const int character = index.row();
  const CastState state = session_.cast().state(character);
  switch (role) {
    case Qt::DisplayRole:
      return display(character, index.column());
    case Qt::EditRole:
      return index.column() == Share ? QVariant(share(character))
                                     : display(character, index.column());
    case Qt::ToolTipRole:
      return toolTip(character, index.column());
    case Qt::DecorationRole:
      if (index.column() != Title || state != CastState::Refused) return {};
      return icon("triangle-alert", colors::kWarning);
    case Qt::ForegroundRole:
      return state == CastState::Ready ? QVariant() : QVariant(colors::kMuted);
    case Qt::TextAlignmentRole:
      if (index.column() == Title || index.column() == Source) return {};
      return int(Qt::AlignRight | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant CastModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) return {};
  struct Words {
    QString title;
    QString tip;
  };
  const Words words[kColumns] = {
      {tr("Character"), tr("What it is called; double-click to change it")},
      {tr("Share"), tr("How many actors it gets when they are dealt out: 2 is twice as many as 1")},
      {tr("Actors"), tr("How many actors are this character now")},
      {tr("Clips"), tr("How many clips its actors can play")},
      {tr("Error"), tr("How far its atlas is from its source at most")},
      {tr("Triangles"), tr("Of one actor")},
      {tr("Joints"), tr("Of its rig")},
      {tr("From"), tr("The file that it comes from")},
  };
  if (role == Qt::DisplayRole) return words[section].title;
  if (role == Qt::ToolTipRole) return words[section].tip;
  return {};
}

Qt::ItemFlags CastModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags base = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  const bool editable = index.column() == Share || (index.column() == Title && index.row() > 0);
  return editable ? base | Qt::ItemIsEditable : base;
}

bool CastModel::setTitle(int character, const QString& title) {
  const std::string wanted = utf8Of(title.trimmed());
  if (character == 0 || !isFreeCastTitle(document_.project(), character, wanted)) return false;
  document_.edit(tr("Rename character"), [&](Project& project) {
    project.cast[std::size_t(character - 1)].title = wanted;
  });
  return true;
}

bool CastModel::setShare(int character, double wanted) {
  if (!(wanted >= 0.0 && wanted <= kLargestShare)) return false;
  const std::vector<CharacterPtr> characters = session_.cast().characters();
  document_.edit(tr("Share of %1").arg(textOf(characterTitle(document_.project(), character))),
                 [&](Project& project) {
                   std::vector<double>& shares = project.spawn.shares;
                   if (shares.empty()) shares.push_back(1.0);
                   shares.resize(std::size_t(characterCount(project)), 0.0);
                   if (shares[std::size_t(character)] == wanted) return;
                   shares[std::size_t(character)] = wanted;
                   dealCast(project, spawnParts(project, characters));
                 });
  return true;
}

bool CastModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.row() >= rows_) return false;
  if (index.column() == Title) return setTitle(index.row(), value.toString());
  if (index.column() != Share) return false;
  bool understood = false;
  double number = value.toDouble(&understood);
  if (!understood) number = QLocale().toDouble(value.toString(), &understood);
  return understood && setShare(index.row(), number);
}

}  // namespace ck::ui
