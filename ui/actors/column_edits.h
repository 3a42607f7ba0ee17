#pragma once

#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "core/project/actor_columns.h"

class QMenu;
class QWidget;

namespace ck::ui {

class ActorModel;
class Document;

// Edits of one column of several actors as a whole: its values as text, random values, steps. Each
// is one undo step. The column must outlive it, as the model's columns do.
class ColumnEdits {
 public:
  // `actors` are in the order of the table.
  ColumnEdits(Document& document, ActorModel& model, const ActorColumn& column,
              std::vector<int> actors);

  const std::vector<int>& actors() const { return actors_; }

  // A line for every actor, as the table shows them; numbers have all their digits and a dot.
  QString text() const;
  // Takes such lines, or one line for all. Returns a sentence if it cannot: nothing is changed
  // then.
  QString paste(const QString& text);

  // The range of random numbers: a cycle for offsets, else from the smallest to the largest of the
  // actors. Nothing if they are all the same.
  std::optional<std::pair<double, double>> randomRange() const;
  // Why randomise() would change nothing; empty if it does.
  QString whyNotRandom() const;
  // Random numbers in that range, random choices, or the colours that are there in another order.
  // Every call takes the next seed of the project.
  void randomise();

  // The largest of eight steps: an eighth of a cycle, 45 degrees, or an eighth of the range.
  QString whyNotSteps() const;
  void quantise();

  void setDefault();

 private:
  double defaultValue() const;
  std::optional<double> valueOf(const QString& line, int character) const;
  std::vector<double> values() const;

  Document& document_;
  ActorModel& model_;
  const ActorColumn* column_;
  std::vector<int> actors_;
};

// Adds the actions of a column to a menu. `where` is the widget beside which a refusal is shown.
void addColumnActions(QMenu& menu, const ColumnEdits& edits, const QString& title, QWidget* where);

}  // namespace ck::ui
