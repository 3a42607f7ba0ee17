#pragma once

#include <QString>
#include <span>

#include "core/crowd/crowd.h"

namespace ck::ui {

// What the artist can set on an actor, in the order of the table's columns.
enum class ActorField { Clip, Offset, Rate, X, Y, Z, TurnX, TurnY, TurnZ, Scale, Tint, Walks, On };
inline constexpr int kActorFieldCount = 13;

// A field that is a number.
struct NumberField {
  ActorField field;
  double low;
  double high;
  double standard;  // of a new actor
  int decimals;
  double (*get)(const Actor& actor);
  void (*set)(Actor& actor, double value);
};

// Nothing for Clip, Tint, Walks and On.
const NumberField* numberField(ActorField field);

QString fieldTitle(ActorField field);        // "Offset"
QString fieldExplanation(ActorField field);  // for tool tips: meaning, unit, range

// Sets a number, brought into the field's range (an offset keeps its cycles).
void setNumber(Actor& actor, const NumberField& field, double value);

}  // namespace ck::ui
