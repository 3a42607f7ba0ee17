#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <span>

#include "core/project/actor_columns.h"
#include "core/project/project.h"

namespace ck::ui {

class Document;

// The words of a column: "Offset", and for tool tips its meaning, unit and range.
QString columnTitle(const ActorColumn& column);
QString columnTip(const ActorColumn& column);

// The project's actors as a table, one row each, one section per column of `columns`, which must
// outlive it; columns of one group stand together. Setting a value edits the project; what is shown
// follows the project.
class ActorModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit ActorModel(Document& document, QObject* parent = nullptr,
                      std::span<const ActorColumn> columns = actorColumns());

  const ActorColumn& column(int section) const { return *columns_[std::size_t(section)]; }
  // The section with this title, in English and whatever the case and blanks; -1 for none.
  int sectionOf(const QString& title) const;
  // The same as a column, which must be there.
  const ActorColumn& columnOf(const QString& title) const { return column(sectionOf(title)); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  // Changes one column of many actors as one undo step; `change` gets each actor with its place in
  // `actors`.
  void editActors(std::span<const int> actors, const ActorColumn& column,
                  const std::function<void(Actor&, std::size_t place)>& change);
  // Gives them all one value, of the kind that data() has for the EditRole or CheckStateRole. A
  // value that the column cannot have changes nothing and returns false. A clip is one of the actor
  // `reference`, of the first where that is none; actors of other characters get their clip of the
  // same title, where they have one. Another character brings its clip of the same name along.
  bool setActors(std::span<const int> actors, const ActorColumn& column, const QVariant& value,
                 int reference = -1);

  const Actor& actor(int row) const { return told_.actors[std::size_t(row)]; }
  bool playsUntickedClip(const Actor& actor) const;
  int characterCount() const { return int(told_.characters.size()); }
  // The words of a choice, from range.low on, for actors of this character.
  QStringList choices(const ActorColumn& column, int character = 0) const;
  QString display(const Actor& actor, const ActorColumn& column) const;
  // One number per actor that orders the actors by a column.
  std::vector<double> sortKeys(const ActorColumn& column) const;

 private:
  void follow(const Project& project);
  int choiceCount(const ActorColumn& column, int character) const;
  QString choice(const ActorColumn& column, int character, int value) const;
  std::optional<double> entered(const ActorColumn& column, const QVariant& value,
                                int character) const;

  std::vector<const ActorColumn*> columns_;
  Document& document_;
  Project told_;  // the state that the views know
};

}  // namespace ck::ui
