#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/project/project.h"

namespace ck::ui {

class Document;
class Session;

// The project's characters, one row each, numbered as Actor::character. Setting a title or a share
// edits the project.
class CharacterModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Title, Share, Actors, Clips, Error, Triangles, Joints, Source };
  static constexpr int kColumns = 8;

  CharacterModel(Document& document, const Session& session, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  int rowsNow() const;
  void count();
  void refresh();
  QVariant display(int character, int column) const;
  QString source(int character) const;
  QString error(int character) const;
  QString toolTip(int character, int column) const;
  double share(int character) const;
  bool setTitle(int character, const QString& title);
  bool setShare(int character, double share);

  Document& document_;
  const Session& session_;
  std::vector<int> actors_;  // one per character
  int rows_ = 0;
};

}  // namespace ck::ui
