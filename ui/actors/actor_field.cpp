#include "ui/actors/actor_field.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace ck::ui {
namespace {

constexpr std::array<NumberField, 12> kNumbers = {{
    {ActorField::Offset, -1000.0, 1000.0, 0.0, 2, 77,
     [](const Actor& a) { return double(a.offset); },
     [](Actor& a, double v) { a.offset = float(v); }},
    {ActorField::Rate, -4.0, 4.0, 1.0, 2, 78, [](const Actor& a) { return double(a.rate); },
     [](Actor& a, double v) { a.rate = float(v); }},
    {ActorField::Fade, 0.0, 1.0, 0.0, 2, 86, [](const Actor& a) { return double(a.fade); },
     [](Actor& a, double v) { a.fade = float(v); }},
    {ActorField::FadeOver, 0.0, 1000.0, 0.0, 2, 87,
     [](const Actor& a) { return double(a.fadeSeconds); },
     [](Actor& a, double v) { a.fadeSeconds = float(v); }},
    {ActorField::FadeAt, -1e5, 1e5, 0.0, 2, 88,
     [](const Actor& a) { return double(a.fadeAtSeconds); },
     [](Actor& a, double v) { a.fadeAtSeconds = float(v); }},
    {ActorField::X, -1e5, 1e5, 0.0, 2, 79, [](const Actor& a) { return double(a.position.x); },
     [](Actor& a, double v) { a.position.x = float(v); }},
    {ActorField::Y, -1e5, 1e5, 0.0, 2, 80, [](const Actor& a) { return double(a.position.y); },
     [](Actor& a, double v) { a.position.y = float(v); }},
    {ActorField::Z, -1e5, 1e5, 0.0, 2, 81, [](const Actor& a) { return double(a.position.z); },
     [](Actor& a, double v) { a.position.z = float(v); }},
    {ActorField::TurnX, -3600.0, 3600.0, 0.0, 1, 82,
     [](const Actor& a) { return double(a.rotationDegrees.x); },
     [](Actor& a, double v) { a.rotationDegrees.x = float(v); }},
    {ActorField::TurnY, -3600.0, 3600.0, 0.0, 1, 83,
     [](const Actor& a) { return double(a.rotationDegrees.y); },
     [](Actor& a, double v) { a.rotationDegrees.y = float(v); }},
    {ActorField::TurnZ, -3600.0, 3600.0, 0.0, 1, 84,
     [](const Actor& a) { return double(a.rotationDegrees.z); },
     [](Actor& a, double v) { a.rotationDegrees.z = float(v); }},
    {ActorField::Scale, 0.001, 1000.0, 1.0, 2, 85, [](const Actor& a) { return double(a.scale); },
     [](Actor& a, double v) { a.scale = float(v); }},
}};

QString translated(const char* text) {
  return QCoreApplication::translate("ActorField", text);
}

struct Words {
  const char* title;
  const char* explanation;
};
constexpr std::array<Words, kActorFieldCount> kWords = {{
    {QT_TRANSLATE_NOOP("ActorField", "Clip"),
     QT_TRANSLATE_NOOP("ActorField", "What the actor plays")},
    {QT_TRANSLATE_NOOP("ActorField", "Offset"),
     QT_TRANSLATE_NOOP("ActorField",
                       "Where in the clip it starts, in cycles: 0.5 is half a clip later")},
    {QT_TRANSLATE_NOOP("ActorField", "Rate"),
     QT_TRANSLATE_NOOP(
         "ActorField",
         "How fast it plays: 1 as authored, 0 stands still, below 0 backwards; -4 to 4")},
    {QT_TRANSLATE_NOOP("ActorField", "Loop"),
     QT_TRANSLATE_NOOP("ActorField", "What happens at the end of its clip; by clip as baked")},
    {QT_TRANSLATE_NOOP("ActorField", "Fade to"),
     QT_TRANSLATE_NOOP("ActorField", "A second clip that is laid over the first")},
    {QT_TRANSLATE_NOOP("ActorField", "Fade"),
     QT_TRANSLATE_NOOP("ActorField",
                       "How much of the second clip: 0 none, 1 all of it; a fade "
                       "over a time decides for itself")},
    {QT_TRANSLATE_NOOP("ActorField", "Over"),
     QT_TRANSLATE_NOOP(
         "ActorField",
         "Seconds that passing to the second clip takes; 0: it is held as Fade says")},
    {QT_TRANSLATE_NOOP("ActorField", "At"),
     QT_TRANSLATE_NOOP("ActorField", "When it begins to pass, in seconds of the crowd's clock")},
    {QT_TRANSLATE_NOOP("ActorField", "Phase"),
     QT_TRANSLATE_NOOP("ActorField",
                       "Where the second clip is when the fade begins: where its own clock is, "
                       "where the first clip is, or at its start")},
    {QT_TRANSLATE_NOOP("ActorField", "Eased"),
     QT_TRANSLATE_NOOP("ActorField", "Passes slowly at both ends instead of evenly")},
    {QT_TRANSLATE_NOOP("ActorField", "Mask"),
     QT_TRANSLATE_NOOP("ActorField",
                       "Which joints the second clip may move; the method live alone tells joints "
                       "apart")},
    {QT_TRANSLATE_NOOP("ActorField", "X"),
     QT_TRANSLATE_NOOP("ActorField", "Place, metres to the right")},
    {QT_TRANSLATE_NOOP("ActorField", "Y"), QT_TRANSLATE_NOOP("ActorField", "Place, metres up")},
    {QT_TRANSLATE_NOOP("ActorField", "Z"),
     QT_TRANSLATE_NOOP("ActorField", "Place, metres towards the front")},
    {QT_TRANSLATE_NOOP("ActorField", "Tilt"),
     QT_TRANSLATE_NOOP("ActorField", "Rotation about X, degrees")},
    {QT_TRANSLATE_NOOP("ActorField", "Turn"),
     QT_TRANSLATE_NOOP("ActorField", "Rotation about the vertical axis, degrees")},
    {QT_TRANSLATE_NOOP("ActorField", "Roll"),
     QT_TRANSLATE_NOOP("ActorField", "Rotation about Z, degrees")},
    {QT_TRANSLATE_NOOP("ActorField", "Scale"),
     QT_TRANSLATE_NOOP("ActorField", "Size; 1 as imported")},
    {QT_TRANSLATE_NOOP("ActorField", "Tint"),
     QT_TRANSLATE_NOOP("ActorField", "Colour of the clothes, as #rrggbb")},
    {QT_TRANSLATE_NOOP("ActorField", "Walks"),
     QT_TRANSLATE_NOOP("ActorField", "Moves over the ground at the speed of its clip")},
    {QT_TRANSLATE_NOOP("ActorField", "On"),
     QT_TRANSLATE_NOOP("ActorField", "Shown in the crowd; off leaves its place empty")},
    {QT_TRANSLATE_NOOP("ActorField", "Character"),
     QT_TRANSLATE_NOOP("ActorField", "Who it is: a character of the cast")},
}};

}  // namespace

const NumberField* numberField(ActorField field) {
  for (const NumberField& number : kNumbers) {
    if (number.field == field) return &number;
  }
  return nullptr;
}

bool isTruth(ActorField field) {
  return field == ActorField::Walks || field == ActorField::On || field == ActorField::FadeEased;
}

static bool Actor::*truthMember(ActorField field) {
  if (field == ActorField::FadeEased) return &Actor::fadeEased;
  return field == ActorField::Walks ? &Actor::travels : &Actor::on;
}

bool truthOf(const Actor& actor, ActorField field) {
  return actor.*truthMember(field);
}

void setTruth(Actor& actor, ActorField field, bool truth) {
  actor.*truthMember(field) = truth;
}

bool isChoice(ActorField field) {
  return field == ActorField::Character || field == ActorField::Mask || isClip(field) ||
         isOrderedChoice(field);
}

bool isOrderedChoice(ActorField field) {
  return field == ActorField::Loop || field == ActorField::FadePhase;
}

bool isClip(ActorField field) {
  return field == ActorField::Clip || field == ActorField::FadeTo;
}

int firstChoice(ActorField field) {
  return field == ActorField::Clip || field == ActorField::FadePhase ||
                 field == ActorField::Character
             ? 0
             : -1;
}

int choiceOf(const Actor& actor, ActorField field) {
  if (field == ActorField::Character) return actor.character;
  if (field == ActorField::Clip) return actor.clip;
  if (field == ActorField::FadeTo) return actor.fadeClip;
  if (field == ActorField::FadePhase) return int(actor.fadePhase);
  if (field == ActorField::Mask) return actor.mask;
  return actor.loop ? int(*actor.loop) : -1;
}

void setChoice(Actor& actor, ActorField field, int choice) {
  if (field == ActorField::Character) {
    actor.character = choice;
  } else if (field == ActorField::Clip) {
    actor.clip = choice;
  } else if (field == ActorField::FadeTo) {
    actor.fadeClip = choice;
  } else if (field == ActorField::FadePhase) {
    actor.fadePhase = ck::FadePhase(choice);
  } else if (field == ActorField::Mask) {
    actor.mask = choice;
  } else {
    actor.loop = choice < 0 ? std::nullopt : std::optional(LoopMode(choice));
  }
}

QString fieldTitle(ActorField field) {
  return translated(kWords[std::size_t(field)].title);
}

QString fieldExplanation(ActorField field) {
  return translated(kWords[std::size_t(field)].explanation);
}

void setNumber(Actor& actor, const NumberField& field, double value) {
  field.set(actor, std::clamp(value, field.low, field.high));
}

}  // namespace ck::ui
