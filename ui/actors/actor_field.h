#pragma once

#include <QString>
#include <span>

#include "core/crowd/crowd.h"

namespace ck::ui {

// What the artist can set on an actor, in the order of the table's columns.
enum class ActorField {
  Clip,
  Offset,
  Rate,
  Loop,
  FadeTo,
  Fade,
  FadeOver,
  FadeAt,
  FadePhase,
  FadeEased,
  Mask,
  X,
  Y,
  Z,
  TurnX,
  TurnY,
  TurnZ,
  Scale,
  Tint,
  Walks,
  On,
  Character,  // shown as the first column
};
inline constexpr int kActorFieldCount = 22;

// A field that is a number.
struct NumberField {
  ActorField field;
  double low;
  double high;
  double standard;  // of a new actor
  int decimals;
  int stream;  // of R(a,b), so that two fields get different numbers from one seed; never changed
  double (*get)(const Actor& actor);
  void (*set)(Actor& actor, double value);
};

// Nothing for fields that are no numbers.
const NumberField* numberField(ActorField field);

// Walks, On and FadeEased.
bool isTruth(ActorField field);
bool truthOf(const Actor& actor, ActorField field);
void setTruth(Actor& actor, ActorField field, bool truth);

// Fields that are one of a few words: Character, Clip (an index of the clips of its character),
// FadeTo (the same, -1 for none), Loop (-1: as its clip says, else a LoopMode), FadePhase and Mask
// (an index of Project::masks, -1 for none). Choices are numbered from firstChoice() on.
bool isChoice(ActorField field);
// Whether the words of a choice have an order of their own instead of that of the alphabet.
bool isOrderedChoice(ActorField field);
// Clip and FadeTo, whose words are others for other characters.
bool isClip(ActorField field);
int firstChoice(ActorField field);
int choiceOf(const Actor& actor, ActorField field);
void setChoice(Actor& actor, ActorField field, int choice);

QString fieldTitle(ActorField field);        // "Offset"
QString fieldExplanation(ActorField field);  // for tool tips: meaning, unit, range

// Sets a number, brought into the field's range (an offset keeps its cycles).
void setNumber(Actor& actor, const NumberField& field, double value);

}  // namespace ck::ui
