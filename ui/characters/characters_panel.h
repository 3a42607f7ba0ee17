#pragma once

#include <QWidget>

class QTableView;
class QToolButton;

namespace ck::ui {

class CharacterModel;
class Document;
class FilesBox;
class Playback;
class PropsBox;
class Session;

// The characters of the crowd: titles, sources and numbers of actors. The other panels show the
// clips and the atlas of the current row's character.
class CharactersPanel : public QWidget {
  Q_OBJECT

 public:
  CharactersPanel(Document& document, Session& session, Playback& playback,
                  QWidget* parent = nullptr);

  QTableView& table() { return *table_; }
  CharacterModel& model() { return *model_; }
  FilesBox& files() { return *files_; }
  PropsBox& props() { return *props_; }

 signals:
  void addFilesAsked();
  // The user wants to see how a file of a character fits: its index in ProjectCharacter::sources.
  void fitAsked(int character, int source);

 private:
  int current() const;  // number of a character, or -1
  void followPlayback();
  void takeCurrent();
  void updateButtons();
  void askVariant();
  void askMeshes();
  void askSockets();

  Document& document_;
  Session& session_;
  Playback& playback_;
  CharacterModel* model_;
  QTableView* table_;
  FilesBox* files_;
  PropsBox* props_;
  QToolButton* add_;
  QToolButton* variant_;
  QToolButton* meshes_;
  QToolButton* sockets_;
  QToolButton* reload_;
  QToolButton* remove_;
};

}  // namespace ck::ui
