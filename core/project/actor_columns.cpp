#include "core/project/actor_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace ck {
namespace {

using Kind = ActorKind;
using Group = ActorGroup;
using Written = ActorWritten;

// The row with what reads and writes the member.
template <auto Member>
constexpr ActorColumn of(ActorColumn column) {
  column.get = [](const Actor& actor) { return static_cast<double>(actor.*Member); };
  column.set = [](Actor& actor, double value) {
    actor.*Member = static_cast<std::remove_cvref_t<decltype(actor.*Member)>>(value);
  };
  return column;
}

// One of the three numbers of a vector.
template <glm::vec3 Actor::*Member, int Axis>
constexpr ActorColumn axis(ActorColumn column, std::string_view title, std::string_view tip,
                           int stream) {
  column.title = title;
  column.tip = tip;
  column.stream = stream;
  column.get = [](const Actor& actor) { return static_cast<double>((actor.*Member)[Axis]); };
  column.set = [](Actor& actor, double value) {
    (actor.*Member)[Axis] = static_cast<float>(value);
  };
  return column;
}

double getLoop(const Actor& actor) {
  return actor.loop ? static_cast<double>(*actor.loop) : -1.0;
}
void setLoop(Actor& actor, double value) {
  actor.loop.reset();
  if (value >= 0.0) actor.loop = static_cast<LoopMode>(value);
}

// The last command; -1 without commands.
double getPlays(const Actor& actor) {
  return actor.commands.empty() ? -1.0 : static_cast<double>(actor.commands.back().action);
}
void setPlays(Actor& actor, double value) {
  if (value < 0.0) return actor.commands.clear();
  actor.commands.edit([value](std::vector<PlayCommand>& commands) {
    if (commands.empty()) commands.push_back({});
    commands.back().action = static_cast<PlayAction>(value);
  });
}

// The time of the last command, which stays behind those before it.
double getSince(const Actor& actor) {
  return actor.commands.empty() ? 0.0 : static_cast<double>(actor.commands.back().atSeconds);
}
void setSince(Actor& actor, double value) {
  if (actor.commands.empty()) return;
  actor.commands.edit([value](std::vector<PlayCommand>& commands) {
    commands.back().atSeconds = static_cast<float>(value);
    if (commands.size() < 2) return;
    commands.back().atSeconds =
        std::max(commands.back().atSeconds, commands[commands.size() - 2].atSeconds);
  });
}

constexpr std::array<ActorWord, 6> kPlays = {{{"", "By clock"},
                                              {"play", "Forwards"},
                                              {"pause", "Paused"},
                                              {"reverse", "Reversed"},
                                              {"restart", "Restarted"},
                                              {"retrace", "Retracing"}}};
constexpr std::array<ActorWord, 4> kLoops = {
    {{"clip", "By clip"}, {"loop", "Loop"}, {"once", "Once"}, {"ping-pong", "Ping-pong"}}};
constexpr std::array<ActorWord, 3> kPhases = {
    {{"own", "Own"}, {"synced", "Synced"}, {"start", "Start"}}};

constexpr ActorRange kMeters = {-1e5, 1e5};
constexpr ActorColumn kPlace = {.key = "position",
                                .group = Group::Place,
                                .title = {},
                                .tip = {},
                                .unit = "metres",
                                .range = kMeters,
                                .written = Written::Always};
constexpr ActorColumn kRotation = {.key = "rotationDegrees",
                                   .group = Group::Rotation,
                                   .title = {},
                                   .tip = {},
                                   .unit = "degrees",
                                   .range = {-3600.0, 3600.0},
                                   .written = Written::Always,
                                   .decimals = 1};

constexpr std::array kColumns = {
    of<&Actor::character>({.key = "character",
                           .kind = Kind::Character,
                           .group = Group::Character,
                           .title = "Character",
                           .tip = "Which character of the project it is"}),
    of<&Actor::clip>({.key = "clip",
                      .kind = Kind::Clip,
                      .group = Group::Clip,
                      .title = "Clip",
                      .tip = "What the actor plays",
                      .written = Written::Always}),
    of<&Actor::offset>({.key = "offset",
                        .group = Group::Clip,
                        .title = "Offset",
                        .tip = "Where in the clip it starts: 0.5 is half a clip later",
                        .unit = "cycles",
                        .range = {-1000.0, 1000.0},
                        .written = Written::Always,
                        .stream = 77}),
    of<&Actor::rate>({.key = "rate",
                      .group = Group::Clip,
                      .title = "Rate",
                      .tip = "How fast it plays: 1 as authored, 0 stands still, below 0 backwards",
                      .range = {-4.0, 4.0},
                      .written = Written::Always,
                      .stream = 78}),
    axis<&Actor::position, 0>(kPlace, "X", "Place, to the right", 79),
    axis<&Actor::position, 1>(kPlace, "Y", "Place, up", 80),
    axis<&Actor::position, 2>(kPlace, "Z", "Place, towards the front", 81),
    axis<&Actor::rotationDegrees, 0>(kRotation, "Tilt", "Rotation about X", 82),
    axis<&Actor::rotationDegrees, 1>(kRotation, "Turn", "Rotation about the vertical axis", 83),
    axis<&Actor::rotationDegrees, 2>(kRotation, "Roll", "Rotation about Z", 84),
    of<&Actor::scale>({.key = "scale",
                       .group = Group::Looks,
                       .title = "Scale",
                       .tip = "Size; 1 as imported",
                       .range = {0.001, 1000.0},
                       .written = Written::Always,
                       .stream = 85}),
    of<&Actor::tint>({.key = "tint",
                      .kind = Kind::Colour,
                      .group = Group::Looks,
                      .title = "Tint",
                      .tip = "Colour of the clothes, as #rrggbb",
                      .written = Written::Always}),
    of<&Actor::on>({.key = "on",
                    .kind = Kind::Flag,
                    .title = "On",
                    .tip = "Shown in the crowd; off leaves its place empty",
                    .written = Written::Always}),
    of<&Actor::travels>({.key = "travels",
                         .kind = Kind::Flag,
                         .group = Group::Walk,
                         .title = "Walks",
                         .tip =
                             "Moves over the ground at the speed of its clip, or by its way where "
                             "that is extracted",
                         .written = Written::Always}),
    of<&Actor::turnRadius>(
        {.key = "turnRadius",
         .group = Group::Walk,
         .title = "Radius",
         .tip =
             "Of the circle that it walks on, to its left; below 0 to its right, 0 straight ahead",
         .unit = "metres",
         .range = kMeters,
         .written = Written::Always,
         .stream = 89}),
    ActorColumn{.key = "loop",
                .kind = Kind::Choice,
                .group = Group::Clip,
                .title = "Loop",
                .tip = "What happens at the end of its clip; by clip as baked",
                .range = {-1.0, 0.0},
                .words = kLoops,
                .get = getLoop,
                .set = setLoop},
    ActorColumn{.key = "commands",
                .kind = Kind::Choice,
                .group = Group::Clip,
                .title = "Plays",
                .tip = "What it was told last while it played; by the clock without a command",
                .range = {-1.0, 0.0},
                .words = kPlays,
                .written = Written::Never,
                .get = getPlays,
                .set = setPlays},
    ActorColumn{.key = "commands",
                .group = Group::Clip,
                .title = "Since",
                .tip = "When it was told that, by the crowd's clock; 0 without a command",
                .unit = "seconds",
                .range = {-1e5, 1e5},
                .written = Written::Never,
                .stream = 90,
                .get = getSince,
                .set = setSince},
    of<&Actor::fadeClip>({.key = "fadeClip",
                          .kind = Kind::Clip,
                          .group = Group::Fade,
                          .title = "Fade to",
                          .tip = "A second clip that is laid over the first",
                          .range = {-1.0, 0.0}}),
    of<&Actor::fade>({.key = "fade",
                      .group = Group::Fade,
                      .title = "Fade",
                      .tip = "How much of the second clip: 0 none, 1 all of it; a fade over a time "
                             "decides for itself",
                      .fileRange = {0.0, 1.0},
                      .written = Written::AsBefore,
                      .stream = 86}),
    of<&Actor::fadeSeconds>(
        {.key = "fadeSeconds",
         .group = Group::Fade,
         .title = "Over",
         .tip = "How long passing to the second clip takes; 0: it is held as Fade says",
         .unit = "seconds",
         .range = {0.0, 1000.0},
         .fileRange = {0.0, kFarthest},
         .stream = 87}),
    of<&Actor::fadeAtSeconds>({.key = "fadeAtSeconds",
                               .group = Group::Fade,
                               .title = "At",
                               .tip = "When it begins to pass, by the actor's own clock",
                               .unit = "seconds",
                               .range = {-1e5, 1e5},
                               .written = Written::AsBefore,
                               .stream = 88}),
    of<&Actor::fadePhase>(
        {.key = "fadePhase",
         .kind = Kind::Choice,
         .group = Group::Fade,
         .title = "Phase",
         .tip = "Where the second clip is when the fade begins: where its own clock is, where "
                "the first clip is, or at its start",
         .words = kPhases,
         .written = Written::AsBefore}),
    of<&Actor::fadeEased>({.key = "fadeEased",
                           .kind = Kind::Flag,
                           .group = Group::Fade,
                           .title = "Eased",
                           .tip = "Passes slowly at both ends instead of evenly",
                           .written = Written::AsBefore}),
    of<&Actor::mask>(
        {.key = "mask",
         .kind = Kind::Mask,
         .group = Group::Fade,
         .title = "Mask",
         .tip = "Which joints the second clip may move; the method live alone tells joints "
                "apart",
         .range = {-1.0, 0.0}}),
    of<&Actor::group>({.key = "group",
                       .kind = Kind::Group,
                       .title = "Group",
                       .tip = "The group of actors that it belongs to",
                       .range = {-1.0, 0.0}}),
    of<&Actor::crowd>({.key = "crowd",
                       .kind = Kind::Crowd,
                       .title = "Crowd",
                       .tip = "The crowd with which it is dealt"}),
    of<&Actor::byHand>({.key = "byHand",
                        .kind = Kind::Flag,
                        .title = "By hand",
                        .tip = "Placed by the artist: a formation neither moves nor removes it"}),
};

}  // namespace

std::span<const ActorColumn> actorColumns() {
  return kColumns;
}

std::vector<ActorColumn> storedColumns(std::span<const ActorColumn> columns) {
  std::vector<ActorColumn> stored(columns.begin(), columns.end());
  std::erase_if(stored, [](const ActorColumn& each) { return each.written == Written::Never; });
  return stored;
}

bool isNumber(const ActorColumn& column) {
  return column.kind == Kind::Number || column.kind == Kind::Whole;
}

bool isChoice(const ActorColumn& column) {
  return column.kind == Kind::Choice || isReference(column);
}

bool isReference(const ActorColumn& column) {
  return column.kind == Kind::Clip || column.kind == Kind::Character || column.kind == Kind::Mask ||
         column.kind == Kind::Group || column.kind == Kind::Crowd;
}

void setNumber(Actor& actor, const ActorColumn& column, double value) {
  const double inRange = std::clamp(value, column.range.low, column.range.high);
  column.set(actor, column.kind == Kind::Whole ? std::round(inRange) : inRange);
}

void renumberClips(Actor& actor, const std::function<int(int clip)>& newNumber) {
  for (const ActorColumn& column : kColumns) {
    if (column.kind != Kind::Clip) continue;
    const int now = newNumber(static_cast<int>(column.get(actor)));
    column.set(actor, std::max(static_cast<double>(now), column.range.low));
  }
}

}  // namespace ck
