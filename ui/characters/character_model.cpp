#include "ui/characters/character_model.h"

#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "core/project/actors/spawn.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"
#include "core/view/drawn_as.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kLargestShare = 1e6;

std::size_t trianglesOf(const Character& character, const std::vector<int>& hidden) {
  std::size_t triangles = 0;
  for (std::size_t mesh = 0; mesh < character.meshes.size(); ++mesh) {
    const bool isHidden = std::ranges::count(hidden, int(mesh)) > 0;
    if (!isHidden) triangles += character.meshes[mesh].indices.size() / 3;
  }
  return triangles;
}

}  // namespace

CharacterModel::CharacterModel(Document& document, const Session& session, QObject* parent)
    : RowModel(parent), document_(document), session_(session) {
  addColumn(tr("Character"), tr("What it is called; double-click to change it"), Align::Text);
  addColumn(tr("Share"),
            tr("How many actors it gets when they are dealt out: 2 is twice as many as 1"));
  addColumn(tr("Actors"), tr("How many actors are this character now"));
  addColumn(tr("Clips"), tr("How many clips its actors can play"));
  addColumn(tr("Error"), tr("How far its atlas is from its source at most"));
  addColumn(tr("Triangles"), tr("Of one actor"));
  addColumn(tr("Joints"), tr("Of its rig"));
  addColumn(tr("From"), tr("The file that it comes from"), Align::Text);
  refresh();
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    const bool same = before.characters == now.characters && before.crowds == now.crowds &&
                      chosenCrowd(before) == chosenCrowd(now) && before.actors == now.actors;
    if (!same) refresh();
  });
  connect(&session, &Session::changed, this, &CharacterModel::refresh);
  connect(&session, &Session::errorChanged, this, &CharacterModel::refresh);
  connect(&session, &Session::bakeStateChanged, this, [this] { showRows(rows_); });
}

// A project without a rig has no characters to show.
void CharacterModel::refresh() {
  const Project& project = document_.project();
  const int count = characterCount(project);
  actors_.assign(std::size_t(count), 0);
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    ++actors_[std::size_t(project.actors[i].character)];
  }
  showRows(session_.hasRig() || count > 1 ? count : 0);
}

double CharacterModel::share(int character) const {
  const std::vector<double>& shares = chosen(document_.project()).spawn.shares;
  if (shares.empty()) return character == 0 ? 1.0 : 0.0;
  return std::size_t(character) < shares.size() ? shares[std::size_t(character)] : 0.0;
}

QString CharacterModel::source(int character) const {
  const Project& project = document_.project();
  if (session_.state(character) == CharacterState::Refused) {
    return tr("Not there: see the tool tip");
  }
  if (session_.state(character) == CharacterState::Reading) return tr("Being read");
  if (const auto base = project.characters[std::size_t(character)].variantOf) {
    return tr("Variant of %1").arg(nameText(characterTitle(project, *base)));
  }
  const std::vector<SourceFile>& sources = baseCharacter(project, character).sources;
  return sources.empty() ? QString() : QFileInfo(textOf(sources.front().path)).fileName();
}

// The error at vertices of the reading that the view draws.
QString CharacterModel::error(int character) const {
  const BakeError* measured = session_.error(character);
  if (measured) {
    const bool isDirect = drawnReading(document_.project().view) == Reading::Direct;
    const ErrorFigures& drawn = isDirect ? measured->direct : measured->palette;
    return tr("%1 mm").arg(fixedText(drawn.vertices.max, 2));
  }
  if (!session_.atlas(character)) return {};
  return session_.isMeasuring(character) ? tr("...") : QString(QChar(0x2013));
}

bool CharacterModel::isOutdated(int character) const {
  return session_.bakeState(character) == BakeState::Outdated;
}

QString CharacterModel::toolTip(int character, int column) const {
  QString problem = session_.problem(character);
  if (!problem.isEmpty()) return problem;
  if (column == Error && isOutdated(character)) {
    return tr("Its settings have changed since the bake: show it and bake (Ctrl+B)");
  }
  if (column == Error) {
    const BakeError* measured = session_.error(character);
    if (!measured) {
      if (!session_.atlas(character)) return {};
      return session_.isMeasuring(character) ? tr("It is being measured")
                                             : tr("Not measured; the panel Bake can do that");
    }
    const ErrorFigure& palette = measured->palette.vertices;
    const ErrorFigure& direct = measured->direct.vertices;
    return tr("At vertices: through a palette %1 mm at most (%2), joint by joint %3 mm (%4)")
        .arg(fixedText(palette.max, 2), nameText(palette.worstClip), fixedText(direct.max, 2),
             nameText(direct.worstClip));
  }
  const std::vector<SourceFile>& sources = baseCharacter(document_.project(), character).sources;
  return column == Source && !sources.empty() ? textOf(sources.front().path) : QString();
}

QVariant CharacterModel::display(int character, int column) const {
  const Project& project = document_.project();
  const QLocale locale;
  const CharacterPtr rig = session_.character(character);
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
      const ProjectCharacter& asked = project.characters[std::size_t(character)];
      return locale.toString(qulonglong(trianglesOf(*rig, hiddenMeshesOf(asked, *rig))));
    }
    case Joints:
      return rig ? QVariant(locale.toString(qulonglong(rig->rig.joints.size()))) : QVariant();
    case Error:
      return error(character);
    default:
      return source(character);
  }
}

QVariant CharacterModel::cell(int character, int column, int role) const {
  const CharacterState state = session_.state(character);
  switch (role) {
    case Qt::DisplayRole:
      return display(character, column);
    case Qt::EditRole:
      return column == Share ? QVariant(share(character)) : display(character, column);
    case Qt::ToolTipRole:
      return toolTip(character, column);
    case Qt::DecorationRole:
      if (column == Title && state == CharacterState::Refused)
        return icon("triangle-alert", colors::kWarning);
      if (column == Error && isOutdated(character)) return icon("triangle-alert", colors::kWarning);
      return {};
    case Qt::ForegroundRole:
      return state == CharacterState::Ready ? QVariant() : QVariant(colors::kMuted);
    default:
      return {};
  }
}

Qt::ItemFlags CharacterModel::abilities(int character, int column) const {
  const bool editable = column == Share || (column == Title && character > 0);
  return editable ? Qt::ItemIsEditable : Qt::NoItemFlags;
}

bool CharacterModel::setTitle(int character, const QString& title) {
  const std::string wanted = utf8Of(title.trimmed());
  if (character == 0 || !isFreeCharacterTitle(document_.project(), character, wanted)) return false;
  document_.edit(tr("Rename character"), [&](Project& project) {
    project.characters[std::size_t(character)].title = wanted;
  });
  return true;
}

bool CharacterModel::setShare(int character, double wanted) {
  if (!(wanted >= 0.0 && wanted <= kLargestShare)) return false;
  const std::vector<CharacterPtr> characters = session_.characters();
  document_.edit(tr("Share of %1").arg(nameText(characterTitle(document_.project(), character))),
                 [&](Project& project) {
                   const int crowd = chosenCrowd(project);
                   std::vector<double>& shares = project.crowds[std::size_t(crowd)].spawn.shares;
                   if (shares.empty()) shares.push_back(1.0);
                   shares.resize(std::size_t(characterCount(project)), 0.0);
                   if (shares[std::size_t(character)] == wanted) return;
                   shares[std::size_t(character)] = wanted;
                   dealActors(project, crowd, spawnParts(project, characters));
                 });
  return true;
}

bool CharacterModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.row() >= rows_) return false;
  if (index.column() == Title) return setTitle(index.row(), value.toString());
  if (index.column() != Share) return false;
  bool understood = false;
  double number = value.toDouble(&understood);
  if (!understood) number = QLocale().toDouble(value.toString(), &understood);
  return understood && setShare(index.row(), number);
}

}  // namespace ck::ui
