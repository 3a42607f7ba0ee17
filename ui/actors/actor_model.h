#pragma once

#include <functional>
#include <span>

#include "core/project/actor_columns.h"
#include "core/project/project.h"
#include "ui/parts/actor_expression.h"
#include "ui/parts/row_model.h"

namespace ck::ui {

class Document;

// The header of a column, e.g. "Offset", and its tool tip with meaning, unit and range.
QString columnTitle(const ActorColumn& column);
QString columnTip(const ActorColumn& column);

// The project's actors as a table: one row per actor, one section per entry of `columns`, which
// must outlive the model. Columns of one group are adjacent. Setting a value edits the project; the
// model then updates from the project.
class ActorModel : public RowModel {
  Q_OBJECT

 public:
  explicit ActorModel(Document& document, QObject* parent = nullptr,
                      std::span<const ActorColumn> columns = actorColumns());

  const ActorColumn& column(int section) const { return *columns_[std::size_t(section)]; }
  // The section with this English title, ignoring case and blanks; -1 if there is none.
  int sectionOf(const QString& title) const;
  // The column of that section, which must exist.
  const ActorColumn& columnOf(const QString& title) const { return column(sectionOf(title)); }

  // Row headers show the actor's number.
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  // Changes one column of several actors in one undo step. `change` gets each actor with its index
  // in `actors`.
  void editActors(std::span<const int> actors, const ActorColumn& column,
                  const std::function<void(Actor&, std::size_t place)>& change,
                  const QString& mergeKey = {});
  // Gives `actors`, in the order of ramps, the numbers of a formula in one undo step.
  void applyFormula(std::span<const int> actors, const ActorColumn& column,
                    const ActorFormula& formula);
  // One value per actor, as ActorColumn::get() returns them, in one undo step. Another character
  // keeps the clip of the same name.
  void setValues(std::span<const int> actors, const ActorColumn& column,
                 std::span<const double> values);
  // Sets one value for all `actors`, of the type that data() returns for EditRole or
  // CheckStateRole. Returns false and changes nothing if the column cannot have the value. A clip
  // is an index for the actor `reference`, or for the first actor if that is -1. Actors of other
  // characters get their clip of the same title, if any. A change of character keeps the clip of
  // the same name.
  bool setActors(std::span<const int> actors, const ActorColumn& column, const QVariant& value,
                 int reference = -1);

  const Actor& actor(int row) const { return told_.actors[std::size_t(row)]; }
  bool playsUntickedClip(const Actor& actor) const;
  std::uint64_t randomSeed() const { return told_.randomSeed; }
  int characterCount() const { return int(told_.characters.size()); }
  // How many a column has to choose from, for actors of a character; none is one of them.
  int choiceCount(const ActorColumn& column, int character) const;
  // The texts of a choice column, from range.low on, for actors of this character.
  QStringList choices(const ActorColumn& column, int character = 0) const;
  QString display(const Actor& actor, const ActorColumn& column) const;
  // One number per actor, by which a column is sorted.
  std::vector<double> sortKeys(const ActorColumn& column) const;

 protected:
  QVariant cell(int row, int section, int role) const override;
  Qt::ItemFlags abilities(int row, int section) const override;

 private:
  void follow(const Project& project);
  QString choice(const ActorColumn& column, int character, int value) const;
  std::optional<double> entered(const ActorColumn& column, const QVariant& value,
                                int character) const;

  std::vector<const ActorColumn*> columns_;
  Document& document_;
  Project told_;  // the state that the views know
};

}  // namespace ck::ui
