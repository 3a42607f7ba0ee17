#include "core/project/actors/placement_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/base/csv.h"
#include "core/base/words.h"
#include "core/project/actors_json.h"
#include "core/project/cast_names.h"
#include "core/project/characters.h"

namespace ck {
namespace {

using Columns = std::span<const ActorColumn>;

constexpr std::string_view kSet = "set";  // name of the exported set, for other readers
constexpr std::string_view kMorph = "morph:";
constexpr std::size_t kMostCells = 10'000;  // columns of a file

// The headers of the columns: the key, with an axis where several columns share one.
std::vector<std::string> headersOf(Columns columns) {
  constexpr std::string_view kAxes = "xyzw";
  std::vector<std::string> headers;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string_view key = columns[i].key;
    std::size_t first = i;
    while (first > 0 && columns[first - 1].key == key) --first;
    const bool isAlone = first == i && (i + 1 == columns.size() || columns[i + 1].key != key);
    headers.push_back(isAlone ? std::string(key) : fmt::format("{}.{}", key, kAxes.at(i - first)));
  }
  return headers;
}

// The fewest digits that read back as this float, without an exponent.
std::string numberText(float value) {
  char text[128];
  const auto end = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::fixed);
  return {std::begin(text), end.ptr};
}

std::string nameCell(std::string_view name) {
  return csvCell(formulaSafe(name));
}

std::string cellOf(const ActorColumn& column, const Actor& actor, const CastNames& cast) {
  const double value = column.get(actor);
  switch (column.kind) {
    case ActorKind::Number:
      return numberText(static_cast<float>(value));
    case ActorKind::Whole:
      return fmt::format("{}", static_cast<std::int64_t>(value));
    case ActorKind::Flag:
      return value != 0.0 ? "1" : "0";
    case ActorKind::Colour:
      return fmt::format("#{:06x}", static_cast<std::uint32_t>(value) & 0xffffff);
    case ActorKind::Choice:
      return std::string(column.words[static_cast<std::size_t>(value - column.range.low)].word);
    default: {
      const auto names = cast.names(column.kind, actor.character);
      const bool isNone = value < 0.0 || value >= static_cast<double>(names.size());
      return isNone ? std::string() : nameCell(names[static_cast<std::size_t>(value)]);
    }
  }
}

// A number that is the whole text but for blanks around it.
template <class Number, class... Base>
std::optional<Number> numberOf(std::string_view text, Base... base) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  text = text.substr(0, text.find_last_not_of(' ') + 1);
  Number number{};
  const auto [end, problem] =
      std::from_chars(text.data(), text.data() + text.size(), number, base...);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A value, or what is wrong with the cell.
using CellResult = tl::expected<double, std::string>;

CellResult numberCell(std::string_view cell, double low, double high) {
  const auto number = numberOf<double>(cell);
  if (number && *number >= low && *number <= high) {
    // Rounding the decimals once gives the float that was written; rounding by way of the double
    // may give its neighbour. A number too small for a float has no float of its own.
    return numberOf<float>(cell).value_or(static_cast<float>(*number));
  }
  return tl::unexpected(fmt::format("'{}' is not a number between {} and {}", cell, low, high));
}

CellResult wholeCell(std::string_view cell, const ActorRange& range) {
  const auto number = numberOf<std::int64_t>(cell);
  const auto value = static_cast<double>(number.value_or(0));
  if (number && value >= range.low && value <= range.high) return value;
  return tl::unexpected(
      fmt::format("'{}' is not a whole number between {} and {}", cell, range.low, range.high));
}

CellResult colourCell(std::string_view cell) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  const bool isColour = cell.size() == 7 && cell.starts_with('#') &&
                        cell.find_first_not_of(kDigits, 1) == std::string_view::npos;
  if (!isColour) return tl::unexpected(fmt::format("'{}' is not a colour such as #ff8000", cell));
  return numberOf<std::uint32_t>(cell.substr(1), 16).value_or(0);
}

CellResult wordCell(std::string_view cell, const ActorColumn& column) {
  std::vector<std::string_view> words;
  for (const ActorWord& each : column.words) {
    if (each.word == cell) return column.range.low + static_cast<double>(words.size());
    words.push_back(each.word);
  }
  return tl::unexpected(fmt::format("'{}' is none of {}", cell, inWords(words)));
}

CellResult valueOf(std::string_view cell, const ActorColumn& column, const Actor& actor,
                   const CastNames& cast) {
  switch (column.kind) {
    case ActorKind::Number:
      return numberCell(cell, column.fileRange.low, column.fileRange.high);
    case ActorKind::Whole:
      return wholeCell(cell, column.fileRange);
    case ActorKind::Flag:
      if (cell == "0" || cell == "1") return cell == "1" ? 1.0 : 0.0;
      return tl::unexpected(fmt::format("'{}' is neither 1 nor 0", cell));
    case ActorKind::Colour:
      return colourCell(cell);
    case ActorKind::Choice:
      return wordCell(cell, column);
    default: {
      const std::string name = textOfFormulaSafe(cell);
      const int number = cast.find(column.kind, actor.character, name);
      if (number >= 0) return number;
      return tl::unexpected(cast.missing(column.kind, actor.character, name));
    }
  }
}

tl::unexpected<Error> bad(std::size_t line, std::string_view what) {
  return fail(ErrorCode::InvalidInput, fmt::format("line {}: {}", line, what));
}

// Where the cells of a row belong.
struct Header {
  std::vector<std::string> names;                 // of all cells
  std::vector<std::optional<std::size_t>> cells;  // by column: its cell, if the file has it
  std::optional<std::size_t> commands;            // the cell of kActorCommands
  std::map<std::string, std::size_t> morphs;      // names without kMorph, and their cells
};

Result<Header> headerFrom(const std::vector<std::string>& cells, Columns columns) {
  const std::vector<std::string> known = headersOf(columns);
  Header header;
  header.cells.resize(columns.size());
  std::set<std::string> seen;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string name = textOfFormulaSafe(cells[i]);
    header.names.push_back(name);
    if (name.find('\0') != std::string::npos) {
      return bad(1, fmt::format("the name of column {} has a zero byte", i + 1));
    }
    if (!seen.insert(name).second) return bad(1, fmt::format("column '{}' is there twice", name));
    const auto at = std::ranges::find(known, name);
    if (at != known.end()) {
      header.cells[static_cast<std::size_t>(at - known.begin())] = i;
    } else if (name == kActorCommands) {
      header.commands = i;
    } else if (name.starts_with(kMorph) && name.size() > kMorph.size()) {
      header.morphs.emplace(name.substr(kMorph.size()), i);
    } else if (name != kSet) {
      const std::vector<std::string_view> words(known.begin(), known.end());
      return bad(1, fmt::format("there is no column '{}'; there are {}, {}, {} and {}NAME", name,
                                fmt::join(words, ", "), kActorCommands, kSet, kMorph));
    }
  }
  return header;
}

Result<Actor> actorFrom(const std::vector<std::string>& cells, std::size_t line,
                        const Header& header, Columns columns, const CastNames& cast,
                        const Actor* before, MorphBytes& bytes) {
  Actor actor;
  const auto wrong = [&](std::size_t cell, const std::string& what) {
    return bad(line, fmt::format("column '{}': {}", header.names[cell], what));
  };
  // An empty cell keeps the default.
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto at = header.cells[c];
    if (!at || cells[*at].empty()) continue;
    const CellResult value = valueOf(cells[*at], columns[c], actor, cast);
    if (!value) return wrong(*at, value.error());
    columns[c].set(actor, *value);
  }
  if (header.commands) {
    auto commands = commandsFromText(cells[*header.commands]);
    if (!commands) return wrong(*header.commands, commands.error().message);
    if (before != nullptr && std::ranges::equal(*commands, before->commands)) {
      actor.commands = before->commands;
    } else {
      actor.commands = std::move(*commands);
    }
  }
  std::vector<MorphWeight> morphs;
  for (const auto& [name, at] : header.morphs) {
    if (cells[at].empty()) continue;
    const CellResult weight = numberCell(cells[at], -kLargestMorphWeight, kLargestMorphWeight);
    if (!weight) return wrong(at, weight.error());
    morphs.push_back({name, static_cast<float>(*weight)});
  }
  if (before != nullptr && std::ranges::equal(morphs, before->morphs)) {
    actor.morphs = before->morphs;
  } else {
    bytes.add(morphs);
    if (auto ok = bytes.check(); !ok) return tl::unexpected(ok.error());
    actor.morphs = std::move(morphs);
  }
  return actor;
}

}  // namespace

std::string actorsToCsv(const Project& project, std::span<const std::string> sets, Columns all) {
  const std::vector<ActorColumn> columns = storedColumns(all);
  const CastNames cast(project);
  std::set<std::string> morphs;
  bool haveCommands = false;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    haveCommands = haveCommands || !project.actors[i].commands.empty();
    for (const MorphWeight& morph : project.actors[i].morphs) morphs.insert(morph.name);
  }
  std::string text;
  for (const std::string& header : headersOf(columns)) text += csvCell(header) + ',';
  text += kSet;
  if (haveCommands) text += fmt::format(",{}", kActorCommands);
  for (const std::string& name : morphs) text += ',' + nameCell(std::string(kMorph) + name);
  text += "\r\n";
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const Actor& actor = project.actors[i];
    for (const ActorColumn& column : columns) text += cellOf(column, actor, cast) + ',';
    text += nameCell(sets[static_cast<std::size_t>(actor.character)]);
    if (haveCommands) text += ',' + csvCell(commandsText(actor.commands));
    for (const std::string& name : morphs) {
      text += ',';
      if (const auto weight = morphOf(actor, name)) text += numberText(*weight);
    }
    text += "\r\n";
  }
  return text;
}

Result<ActorList> actorsFromCsv(std::string_view text, const Project& project, Columns all) {
  const std::vector<ActorColumn> columns = storedColumns(all);
  CsvReader reader(text, kMostCells);
  std::vector<std::string> cells;
  const auto any = reader.next(cells);
  if (!any) return tl::unexpected(any.error());
  if (!*any) return bad(1, "the file is empty; its first line names the columns");
  const auto header = headerFrom(cells, columns);
  if (!header) return tl::unexpected(header.error());
  const CastNames cast(project);
  std::vector<Actor> actors;
  MorphBytes bytes;
  while (true) {
    const auto row = reader.next(cells);
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    const bool isBlank = cells.size() == 1 && cells.front().empty();
    if (isBlank && header->names.size() > 1) continue;
    if (cells.size() != header->names.size()) {
      return bad(reader.line(), fmt::format("there are {} cells for {} columns", cells.size(),
                                            header->names.size()));
    }
    if (actors.size() == static_cast<std::size_t>(kMostActors)) {
      return fail(ErrorCode::LimitExceeded, fmt::format("line {}: there are more than {} actors",
                                                        reader.line(), kMostActors));
    }
    const Actor* before = actors.empty() ? nullptr : &actors.back();
    auto actor = actorFrom(cells, reader.line(), *header, columns, cast, before, bytes);
    if (!actor) return tl::unexpected(actor.error());
    actors.push_back(std::move(*actor));
  }
  return ActorList(actors);
}

}  // namespace ck
