#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/crowd/crowd.h"

namespace ck {

// What a property of an actor is. In every kind its value passes as a double.
enum class ActorKind {
  Number,
  Whole,      // a whole number
  Flag,       // 0 or 1
  Colour,     // 0xRRGGBB, sRGB
  Choice,     // one of ActorColumn::words, counted from range.low on
  Clip,       // into the clips of the actor's character; range.low is -1 where there may be none
  Character,  // into the characters of the project
  Mask,       // into Project::masks; -1 for none
};

// Columns of one group stand side by side in the table of actors, the groups in this order. That of
// the characters, which is hidden where there is one alone, is shown before all others.
enum class ActorGroup { Clip, Fade, Place, Rotation, Looks, Walk, Other, Character };

// When the project file has a column.
enum class ActorWritten {
  WhereSet,  // unless all actors have the value of a new one
  AsBefore,  // where it has the column before this one
  Always,
};

struct ActorWord {
  std::string_view word;   // in the project file
  std::string_view title;  // on the screen
};

struct ActorRange {
  double low = 0.0;
  double high = 0.0;
};

inline constexpr double kFarthest = 1e9;  // the largest number of a project file, of either sign

// One property of an actor: how it is stored, shown, filtered and edited. Its default is what
// Actor{} has.
struct ActorColumn {
  // The key of the project file. Columns of one key that follow each other are one list, which has
  // an entry of each for every actor. A key never changes.
  std::string_view key;
  ActorKind kind = ActorKind::Number;
  ActorGroup group = ActorGroup::Other;
  std::string_view title;         // the head of the table; filters leave blanks out
  std::string_view tip;           // what it means, without unit and range
  std::string_view unit = {};     // "metres"
  ActorRange range = {0.0, 1.0};  // what can be entered; others are brought into it
  ActorRange fileRange = {-kFarthest, kFarthest};  // others are refused in files
  std::span<const ActorWord> words = {};           // of a choice
  ActorWritten written = ActorWritten::WhereSet;
  int decimals = 2;
  // Of R(a,b), so that two numbers get different values from one seed. Each has its own, which
  // never changes.
  int stream = 0;
  double (*get)(const Actor& actor) = nullptr;
  void (*set)(Actor& actor, double value) = nullptr;
};

// All properties, in the order of the project file. Adding one is adding a row here and a member to
// Actor. A column of the kind Character stands before those of the kind Clip.
std::span<const ActorColumn> actorColumns();

bool isNumber(const ActorColumn& column);  // Number and Whole
// One of a few words or names: Choice, Clip, Character, Mask. They are counted from range.low on.
bool isChoice(const ActorColumn& column);

// Sets a number, brought into the column's range and rounded where it is a whole one.
void setNumber(Actor& actor, const ActorColumn& column, double value);

// Gives the clips of an actor other numbers. Where `newNumber` has -1 the clip is gone: the first
// clip takes its place, or none where there may be none.
void renumberClips(Actor& actor, const std::function<int(int clip)>& newNumber);

}  // namespace ck
