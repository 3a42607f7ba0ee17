#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/crowd/crowd.h"

namespace ck {

// The type of an actor property. Values of every kind are passed as double.
enum class ActorKind {
  Number,
  Whole,      // an integer
  Flag,       // 0 or 1
  Colour,     // 0xRRGGBB, sRGB
  Choice,     // one of ActorColumn::words, counted from range.low on
  Clip,       // into the clips of the actor's character; -1 for none if range.low is -1
  Character,  // into Project::characters
  Mask,       // into Project::masks; -1 for none
  Group,      // into Project::groups; -1 for none
  Crowd,      // into Project::crowds
};

// The table of actors shows the columns of a group side by side, and groups in this order. The
// column of characters is shown first, and hidden if there is only one character.
enum class ActorGroup { Clip, Fade, Place, Rotation, Looks, Walk, Other, Character };

// When the project file contains a column.
enum class ActorWritten {
  WhereSet,  // unless all actors have the default
  AsBefore,  // if it contains the column before this one
  Always,
  Never,  // it shows a part of a property that files have as a whole: Actor::commands
};

struct ActorWord {
  std::string_view word;   // in project files
  std::string_view title;  // in the editor
};

struct ActorRange {
  double low = 0.0;
  double high = 0.0;
};

inline constexpr double kFarthest = 1e9;  // largest magnitude of a number in project files

// One property of an actor: how it is stored, shown, filtered and edited. The default is that of
// Actor{}.
struct ActorColumn {
  // The key in project files. Adjacent columns with the same key are one list, with one entry per
  // column for every actor. A key must never change.
  std::string_view key;
  ActorKind kind = ActorKind::Number;
  ActorGroup group = ActorGroup::Other;
  std::string_view title;                          // table header; filters ignore blanks in it
  std::string_view tip;                            // meaning, without unit and range
  std::string_view unit = {};                      // "metres"
  ActorRange range = {0.0, 1.0};                   // range of inputs, which are clamped
  ActorRange fileRange = {-kFarthest, kFarthest};  // files with other values are refused
  std::span<const ActorWord> words = {};           // for ActorKind::Choice
  ActorWritten written = ActorWritten::WhereSet;
  int decimals = 2;
  // Random stream of R(a,b), so that two columns get different values from one seed. It is unique
  // and must never change.
  int stream = 0;
  double (*get)(const Actor& actor) = nullptr;
  void (*set)(Actor& actor, double value) = nullptr;
};

// All properties, in the order of project files. A new property needs a row here and a member of
// Actor. Columns of kind Character must be before those of kind Clip.
std::span<const ActorColumn> actorColumns();
// The columns that files have.
std::vector<ActorColumn> storedColumns(std::span<const ActorColumn> columns);

bool isNumber(const ActorColumn& column);  // Number and Whole
// Whether the column is a list of words or names: Choice, and those of isReference(). They are
// counted from range.low on.
bool isChoice(const ActorColumn& column);
// Whether its values are numbers of things of the project, which other files name: Clip, Character,
// Mask, Group, Crowd.
bool isReference(const ActorColumn& column);

// Sets a number, clamped to the column's range and rounded for integers.
void setNumber(Actor& actor, const ActorColumn& column, double value);

// Renumbers the clips of an actor. If `newNumber` returns -1 the clip was removed: the first clip
// replaces it, or none if the column allows that.
void renumberClips(Actor& actor, const std::function<int(int clip)>& newNumber);

}  // namespace ck
