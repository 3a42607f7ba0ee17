#include "ui/characters/characters_panel.h"

#include <QBoxLayout>
#include <QTableView>
#include <QToolButton>

#include "core/project/characters.h"
#include "ui/characters/character_model.h"
#include "ui/characters/files_box.h"
#include "ui/characters/mesh_dialog.h"
#include "ui/characters/props_box.h"
#include "ui/characters/socket_dialog.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"

namespace ck::ui {

CharactersPanel::CharactersPanel(Document& document, Session& session, Playback& playback,
                                 QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      model_(new CharacterModel(document, session, this)),
      table_(named(new QTableView, tr("Characters"))),
      files_(new FilesBox(session)),
      props_(new PropsBox(document, session.props())),
      add_(iconButton("plus", tr("Add characters from rig files or projects (Ctrl+Alt+I)"))),
      variant_(
          iconButton("copy", tr("Add a variant of this character, without some of its meshes"))),
      meshes_(iconButton("layers", tr("Choose the meshes that are shown of it"))),
      sockets_(iconButton("axis-3d", tr("Choose nodes to hang something on: sockets"))),
      reload_(iconButton("refresh-cw", tr("Read its file again"))),
      remove_(iconButton("trash-2", tr("Take it out of the crowd, with its actors"))) {
  setObjectName(QStringLiteral("panel"));
  table_->setModel(model_);
  showAsList(*table_, {84, 46, 48, 42, 68, 60, 46, 90});
  QLayout* buttons = rowOf({add_, variant_, meshes_, sockets_, reload_, remove_, {}}, 4);
  layOutColumn(*this, {10, 6, 10, 8}, 7, {{table_, 1}, buttons, files_, props_});

  connect(add_, &QToolButton::clicked, this, &CharactersPanel::addFilesAsked);
  connect(variant_, &QToolButton::clicked, this, &CharactersPanel::askVariant);
  connect(meshes_, &QToolButton::clicked, this, &CharactersPanel::askMeshes);
  connect(sockets_, &QToolButton::clicked, this, &CharactersPanel::askSockets);
  connect(reload_, &QToolButton::clicked, this, [this] { session_.reload(current()); });
  connect(remove_, &QToolButton::clicked, this, [this] { session_.remove(current()); });
  connect(files_, &FilesBox::fitAsked, this,
          [this](int source) { emit fitAsked(current(), source); });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &CharactersPanel::takeCurrent);
  connect(model_, &QAbstractItemModel::modelReset, this, &CharactersPanel::followPlayback);
  connect(&playback, &Playback::shownCharacterChanged, this, &CharactersPanel::followPlayback);
  connect(model_, &QAbstractItemModel::dataChanged, this, &CharactersPanel::updateButtons);
  followPlayback();
}

// Selecting an actor also shows its character.
void CharactersPanel::followPlayback() {
  const int shown = playback_.shownCharacter();
  if (shown < model_->rowCount() && shown != current()) table_->selectRow(shown);
  updateButtons();
}

void CharactersPanel::takeCurrent() {
  if (current() >= 0) playback_.setShownCharacter(current());
  updateButtons();
}

int CharactersPanel::current() const {
  return selectedRow(*table_);
}

void CharactersPanel::updateButtons() {
  const int character = current();
  const bool known = character >= 0 && session_.character(character) != nullptr;
  files_->setCharacter(character);
  add_->setEnabled(session_.hasRig());
  variant_->setEnabled(known);
  meshes_->setEnabled(known && character > 0);
  sockets_->setEnabled(known && !isFromProject(baseCharacter(document_.project(), character)));
  reload_->setEnabled(character >= 0);
  remove_->setEnabled(character > 0);
}

void CharactersPanel::askVariant() {
  const int character = current();
  const CharacterPtr rig = session_.character(character);
  if (!rig) return;
  const QString title = nameText(characterTitle(document_.project(), character));
  auto* dialog = new MeshDialog(*rig, {}, window());
  dialog->setWindowTitle(tr("Variant of %1").arg(title));
  dialog->askTitle(tr("%1 variant").arg(title));
  connect(dialog, &QDialog::accepted, this, [this, dialog, character] {
    session_.addVariant(character, dialog->title(), dialog->hiddenMeshes());
  });
  dialog->open();
}

void CharactersPanel::askMeshes() {
  const int character = current();
  const CharacterPtr rig = session_.character(character);
  if (!rig || character < 1) return;
  const Project& now = document_.project();
  auto* dialog =
      new MeshDialog(*rig, now.characters[std::size_t(character)].hiddenMeshes, window());
  dialog->setWindowTitle(tr("Meshes of %1").arg(nameText(characterTitle(now, character))));
  connect(dialog, &QDialog::accepted, this, [this, dialog, character] {
    if (character >= characterCount(document_.project())) return;
    document_.edit(tr("Meshes"), [&](Project& project) {
      project.characters[std::size_t(character)].hiddenMeshes = dialog->hiddenMeshes();
    });
  });
  dialog->open();
}

void CharactersPanel::askSockets() {
  const CharacterPtr rig = session_.character(current());
  if (!rig) return;
  const Project& now = document_.project();
  const int base = baseOf(now, current());
  auto* dialog = new SocketDialog(*rig, now.characters[std::size_t(base)].import.sockets, window());
  dialog->setWindowTitle(tr("Sockets of %1").arg(nameText(characterTitle(now, base))));
  connect(dialog, &QDialog::accepted, this, [this, dialog, base] {
    if (base >= characterCount(document_.project())) return;
    const std::vector<std::string> sockets = dialog->sockets();
    document_.edit(tr("Sockets"), [&](Project& project) {
      std::vector<std::string>& chosen = project.characters[std::size_t(base)].import.sockets;
      if (chosen == sockets) return;
      // New ones are worth a look.
      if (sockets.size() > chosen.size()) project.view.sockets = true;
      chosen = sockets;
    });
  });
  dialog->open();
}

}  // namespace ck::ui
