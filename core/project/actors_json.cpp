#include "core/project/actors_json.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/parallel_for.h"
#include "core/base/words.h"
#include "core/crowd/actor.h"
#include "core/project/characters.h"

namespace ck {
namespace {

using Json = nlohmann::ordered_json;
using Columns = std::span<const ActorColumn>;

constexpr std::string_view kActors = "actors";

// The number of columns at the start of `columns` with the same key.
Columns firstList(Columns columns) {
  const auto other = std::ranges::find_if(
      columns, [&](const ActorColumn& each) { return each.key != columns.front().key; });
  return columns.first(static_cast<std::size_t>(other - columns.begin()));
}

std::string textOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void addValue(std::string& text, const ActorColumn& column, double value) {
  const auto end = std::back_inserter(text);
  switch (column.kind) {
    case ActorKind::Number: {
      // With the digits of shortestDouble(), and a point or an exponent, as documents have them.
      const auto number = static_cast<float>(value);
      const std::size_t start = text.size();
      fmt::format_to(end, FMT_COMPILE("{}"), std::isfinite(number) ? number : 0.0f);
      if (text.find_first_of(".e", start) == std::string::npos) text += ".0";
      return;
    }
    case ActorKind::Flag:
      text += value != 0.0 ? "true" : "false";
      return;
    case ActorKind::Choice:
      text += textOf(column.words[static_cast<std::size_t>(value - column.range.low)].word);
      return;
    case ActorKind::Colour:
      fmt::format_to(end, FMT_COMPILE("{}"), static_cast<std::int64_t>(value) & 0xffffff);
      return;
    default:
      fmt::format_to(end, FMT_COMPILE("{}"), static_cast<std::int64_t>(value));
  }
}

struct ListText {
  std::string text;      // a single value if all are equal, else the list
  bool isUsual = false;  // the values are those of a new actor
};

// The values of columns, actor by actor. Crowds have millions of them, so they become text without
// a document in between.
ListText listText(const ActorList& actors, Columns list) {
  std::vector<double> values;
  values.reserve(actors.size() * list.size());
  for (std::size_t i = 0; i < actors.size(); ++i) {
    for (const ActorColumn& column : list) values.push_back(column.get(actors[i]));
  }
  ListText written{{}, true};
  for (std::size_t c = 0; c < list.size() && written.isUsual; ++c) {
    const double usual = list[c].get(Actor{});
    for (std::size_t v = c; v < values.size() && written.isUsual; v += list.size()) {
      written.isUsual = values[v] == usual;
    }
  }
  const bool isOne = list.size() == 1 && std::ranges::all_of(values, [&](double value) {
                       return value == values.front();
                     });
  if (isOne) {
    addValue(written.text, list.front(), values.front());
    return written;
  }
  for (std::size_t v = 0; v < values.size(); ++v) {
    written.text += v > 0 ? ',' : '[';
    addValue(written.text, list[v % list.size()], values[v]);
  }
  written.text += ']';
  return written;
}

// Whether an actor has the same list as the one before it, as in crowds whose actors share it.
template <class List>
bool isAsBefore(const ActorList& actors, std::size_t i, List list) {
  return i > 0 && (actors[i].*list).shares(actors[i - 1].*list);
}

// A list for every morph for which an actor has an own weight; null for actors without.
Json morphsJson(const ActorList& actors) {
  std::set<std::string> names;
  std::vector<std::size_t> firsts;  // of actors that share their list
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (isAsBefore(actors, i, &Actor::morphs)) continue;
    firsts.push_back(i);
    for (const MorphWeight& morph : actors[i].morphs) names.insert(morph.name);
  }
  Json json = Json::object();
  for (const std::string& name : names) {
    Json values = Json::array();
    bool isShared = true;
    for (const std::size_t first : firsts) {
      const auto weight = morphOf(actors[first], name);
      values.push_back(weight ? Json(shortestDouble(*weight)) : Json());
      isShared = isShared && values.back() == values.front();
    }
    if (isShared) {
      json[name] = values.front();
      continue;
    }
    Json all = Json::array();
    for (std::size_t f = 0; f < firsts.size(); ++f) {
      const std::size_t end = f + 1 < firsts.size() ? firsts[f + 1] : actors.size();
      for (std::size_t i = firsts[f]; i < end; ++i) all.push_back(values[f]);
    }
    json[name] = std::move(all);
  }
  return json;
}

// The text of every actor's commands (commandsText()), as a list or, if all are equal, a single
// one.
std::string commandsJson(const ActorList& actors) {
  std::string list;
  std::string first;
  std::string text;
  bool isShared = true;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (!isAsBefore(actors, i, &Actor::commands)) text = textOf(commandsText(actors[i].commands));
    if (i == 0) first = text;
    if (isShared && text != first) {
      isShared = false;
      for (std::size_t before = 0; before < i; ++before) list += first + ',';
    }
    if (!isShared) list += text + ',';
  }
  if (isShared) return first;
  list.back() = ']';
  return '[' + list;
}

bool haveCommands(const ActorList& actors) {
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (!actors[i].commands.empty()) return true;
  }
  return false;
}

std::optional<double> readWord(JsonColumn& json, std::size_t index, const ActorColumn& column) {
  const auto word = json.word(index);
  if (!word) return std::nullopt;
  std::vector<std::string_view> all;
  for (const ActorWord& each : column.words) {
    if (each.word == *word) return column.range.low + static_cast<double>(all.size());
    all.push_back(each.word);
  }
  json.wrong(index, fmt::format("is none of {}", inWords(all)));
  return std::nullopt;
}

// An index into a list of `count` entries, or -1 if the column allows none.
std::optional<double> readPlace(JsonColumn& json, std::size_t index, const ActorColumn& column,
                                std::size_t count, std::string_view what) {
  if (column.range.low < 0.0) return json.choice(index, count, what);
  return json.whole(index, 0, std::max<std::int64_t>(static_cast<std::int64_t>(count) - 1, 0));
}

std::optional<double> readValue(JsonColumn& json, std::size_t index, const ActorColumn& column,
                                const Project& project, const Actor& actor) {
  switch (column.kind) {
    case ActorKind::Number:
      return json.number(index, column.fileRange.low, column.fileRange.high);
    case ActorKind::Whole:
      return json.whole(index, static_cast<std::int64_t>(column.fileRange.low),
                        static_cast<std::int64_t>(column.fileRange.high));
    case ActorKind::Flag:
      return json.flag(index);
    case ActorKind::Colour:
      return json.whole(index, 0, 0xffffff);
    case ActorKind::Choice:
      return readWord(json, index, column);
    case ActorKind::Clip:
      return readPlace(json, index, column, clipsOf(project, actor.character).size(), "clips");
    case ActorKind::Character:
      return readPlace(json, index, column, static_cast<std::size_t>(characterCount(project)),
                       "characters");
    case ActorKind::Mask:
      return readPlace(json, index, column, project.masks.size(), "masks");
    case ActorKind::Group:
      return readPlace(json, index, column, project.groups.size(), "groups");
    case ActorKind::Crowd:
      return readPlace(json, index, column, project.crowds.size(), "crowds");
  }
  return std::nullopt;
}

// Calls `use(index, morphs)` for the actors whose own weights are not those of the actor before.
// The names come sorted from the document, as Actor::morphs has them.
template <class Use>
void forEachOwnMorphs(JsonFields fields, std::size_t count, Use&& use) {
  const std::vector<std::string> names = fields.keys();
  std::vector<JsonColumn> columns;
  std::vector<std::size_t> lists;  // the columns that differ between actors
  std::vector<std::optional<double>> weights(names.size());
  for (const std::string& name : names) {
    JsonColumn& column = columns.emplace_back(fields, name, count, kActors);
    if (!column.isShared()) {
      lists.push_back(columns.size() - 1);
    } else if (count > 0) {
      weights[columns.size() - 1] = column.optionalNumber(0, kLargestMorphWeight);
    }
  }
  std::vector<MorphWeight> own;
  for (std::size_t i = 0; i < count && !fields.problem(); ++i) {
    bool isSame = i > 0;
    for (const std::size_t list : lists) {
      const auto weight = columns[list].optionalNumber(i, kLargestMorphWeight);
      isSame = isSame && weight == weights[list];
      weights[list] = weight;
    }
    if (isSame) continue;
    own.clear();
    for (std::size_t m = 0; m < names.size(); ++m) {
      if (weights[m]) own.push_back({names[m], static_cast<float>(*weights[m])});
    }
    use(i, own);
  }
}

void readMorphs(JsonFields fields, std::vector<Actor>& actors) {
  MorphBytes bytes;
  forEachOwnMorphs(fields, actors.size(),
                   [&](std::size_t, const std::vector<MorphWeight>& own) { bytes.add(own); });
  if (const auto ok = bytes.check(); !ok) return fields.refuse(ok.error());
  std::size_t done = 0;
  SharedList<MorphWeight> before;
  const auto fillUpTo = [&](std::size_t end) {
    for (; done < end; ++done) actors[done].morphs = before;
  };
  forEachOwnMorphs(fields, actors.size(), [&](std::size_t i, const std::vector<MorphWeight>& own) {
    fillUpTo(i);
    before = own;
  });
  fillUpTo(actors.size());
}

void readCommands(JsonFields& fields, std::vector<Actor>& actors) {
  if (!fields.has(kActorCommands)) return;
  JsonColumn column(fields, kActorCommands, actors.size(), kActors);
  std::string before;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (i > 0 && column.isShared()) {
      actors[i].commands = actors[i - 1].commands;
      continue;
    }
    auto text = column.text(i);
    if (!text) return;
    if (i > 0 && *text == before) {
      actors[i].commands = actors[i - 1].commands;
      continue;
    }
    auto commands = commandsFromText(*text);
    if (!commands) return column.wrong(i, commands.error().message);
    actors[i].commands = std::move(*commands);
    before = std::move(*text);
  }
}

// Some of the actors of a list.
struct ActorRange {
  std::vector<Actor>& all;
  std::size_t first = 0;
  std::size_t count = 0;
};

void readColumns(JsonFields fields, const Project& project, Columns columns,
                 const ActorRange& range) {
  while (!columns.empty()) {
    const Columns list = firstList(columns);
    columns = columns.subspan(list.size());
    const std::string key(list.front().key);
    if (!fields.has(key.c_str())) continue;
    JsonColumn json(fields, key, range.all.size(), kActors, list.size());
    std::size_t index = range.first * list.size();
    for (Actor& actor : std::span(range.all).subspan(range.first, range.count)) {
      for (const ActorColumn& column : list) {
        const auto value = readValue(json, index++, column, project, actor);
        if (value) column.set(actor, *value);
      }
    }
  }
}

}  // namespace

std::string actorsToJson(const ActorList& actors, Columns all) {
  const std::vector<ActorColumn> stored = storedColumns(all);
  std::vector<Columns> lists;
  for (Columns columns = stored; !columns.empty() && actors.size() > 0;) {
    lists.push_back(firstList(columns));
    columns = columns.subspan(lists.back().size());
  }
  std::vector<ListText> texts(lists.size());
  parallelFor(lists.size(), {}, [&](std::size_t i) { texts[i] = listText(actors, lists[i]); });
  std::string text = fmt::format("{{\n    \"count\": {}", actors.size());
  const auto add = [&text](std::string_view key, std::string_view value) {
    text += fmt::format(",\n    \"{}\": ", key);
    text += value;
  };
  bool written = false;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const ActorColumn& first = lists[i].front();
    if (first.written == ActorWritten::Always) {
      written = true;
    } else if (first.written != ActorWritten::AsBefore) {
      written = !texts[i].isUsual;
    }
    if (written) add(first.key, texts[i].text);
  }
  if (haveCommands(actors)) add(kActorCommands, commandsJson(actors));
  if (const Json morphs = morphsJson(actors); !morphs.empty()) add("morphs", textOf(morphs));
  return text + "\n  }";
}

std::string textWithActors(const JsonDraft& draft, const ActorList& actors, Columns columns) {
  std::string text = draft.shortText();
  text.resize(text.size() - 2);  // the end of the object's last line and its brace
  return text + ",\n  \"actors\": " + actorsToJson(actors, columns) + "\n}\n";
}

std::vector<Actor> readActors(JsonFields fields, const Project& project, Columns all) {
  const std::vector<ActorColumn> stored = storedColumns(all);
  std::size_t count = 0;
  fields.integer("count", count, 0, kMostActors);
  std::vector<Actor> actors(count);
  constexpr std::size_t kChunk = 4096;
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  std::atomic<bool> isWrong = false;
  parallelFor(chunks, {}, [&](std::size_t chunk) {
    const std::size_t first = chunk * kChunk;
    std::optional<Error> problem;
    readColumns(fields.reportingTo(problem), project, stored,
                {actors, first, std::min(kChunk, count - first)});
    if (problem) isWrong = true;
  });
  // A chunk does not know whether an earlier one has a wrong entry: all is read again in order, so
  // that the first one is told. Without actors, lists that are not empty are wrong.
  if (isWrong || count == 0) readColumns(fields, project, stored, {actors, 0, count});
  readCommands(fields, actors);
  readMorphs(fields.object("morphs"), actors);
  return actors;
}

void MorphBytes::add(std::span<const MorphWeight> morphs) {
  constexpr std::size_t kPerList = 64;
  if (!morphs.empty()) bytes_ += kPerList + morphs.size_bytes();
  for (const MorphWeight& morph : morphs) bytes_ += morph.name.capacity();
}

Result<void> MorphBytes::check() const {
  if (bytes_ <= kMost) return {};
  return fail(
      ErrorCode::LimitExceeded,
      fmt::format("the morph weights of the actors take {} bytes, more than the limit of {}",
                  bytes_, kMost));
}

void describeGroups(JsonFields& fields, std::vector<std::string>& groups) {
  fields.unless(groups.empty()).texts("groups", groups, kMostGroups, "is not a list of names");
  const std::set<std::string_view> names(groups.begin(), groups.end());
  if (names.contains("")) fields.wrong("groups", "has a name that is empty");
  if (names.size() < groups.size()) fields.wrong("groups", "has a name twice");
}

void describeMasks(JsonFields& fields, std::vector<JointMask>& masks) {
  constexpr std::size_t kMostMasks = 1000;
  constexpr std::size_t kMostParts = 100'000;
  fields.unless(masks.empty())
      .list("masks", masks, kMostMasks, [](JsonFields& one, JointMask& mask) {
        one.text("name", mask.name);
        one.list("parts", mask.parts, kMostParts, [](JsonFields& entry, MaskPart& part) {
          entry.text("joint", part.joint);
          entry.number("weight", part.weight, 0.0, 1.0);
          entry.flag("subtree", part.subtree);
        });
      });
}

}  // namespace ck
