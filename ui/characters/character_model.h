#pragma once

#include <vector>

#include "ui/parts/row_model.h"

namespace ck::ui {

class Document;
class Session;

// The project's characters, one row each, numbered as Actor::character. Setting a title or a share
// edits the project.
class CharacterModel : public RowModel {
  Q_OBJECT

 public:
  enum Column { Title, Share, Actors, Clips, Error, Triangles, Joints, Source };

  CharacterModel(Document& document, const Session& session, QObject* parent = nullptr);

  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 protected:
  QVariant cell(int character, int column, int role) const override;
  Qt::ItemFlags abilities(int character, int column) const override;

 private:
  void refresh();
  QVariant display(int character, int column) const;
  QString source(int character) const;
  QString error(int character) const;
  bool isOutdated(int character) const;
  QString toolTip(int character, int column) const;
  double share(int character) const;
  bool setTitle(int character, const QString& title);
  bool setShare(int character, double share);

  Document& document_;
  const Session& session_;
  std::vector<int> actors_;  // one per character
};

}  // namespace ck::ui
