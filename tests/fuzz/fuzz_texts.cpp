#include <cstdio>

#include "core/base/csv.h"
#include "core/export/writer/set_journal.h"
#include "core/import/joint_map_file.h"
#include "core/project/actors/actor_clipboard.h"
#include "core/project/actors/placement.h"
#include "core/system/files.h"
#include "tests/fuzz/target_list.h"
#include "tests/fuzz/text_target.h"

// Reads any text as what else people hand over: the first byte chooses the reader. A text that
// passes is written and read again, and then the same. Built and run by scripts/fuzz.sh.

namespace {

// A project with something to name of every kind, in names that a CSV has to quote.
const ck::Project& project() {
  static const ck::Project made = [] {
    ck::Project one;
    one.characters.clear();
    ck::ProjectCharacter guard;
    guard.title = "Guard";
    guard.clips = {{.name = "Walk"}, {.name = "Idle"}};
    ck::ProjectCharacter guest;
    guest.title = "Guest, \"tall\"";
    guest.clips = {{.name = "Walk"}, {.name = "Take 001", .title = "Graze"}};
    one.characters = {guard, guest};
    one.masks = {{"Upper", {}}};
    one.groups = {"Left", "=crew"};
    return one;
  }();
  return made;
}

void wrong(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  __builtin_trap();
}

// A JSON text lists its own names; most are not those of the project.
void readActors(std::string_view text) {
  (void)ck::placementFromText(text, project());
  ck::Project filled = ck::listedFromJson(text).value_or(project());
  const auto actors = ck::placementFromText(text, filled);
  if (!actors) return;
  filled.actors = *actors;
  const std::vector<std::string> sets(filled.characters.size(), "town");
  for (const std::string& written :
       {ck::placementJson(filled, sets), ck::placementCsv(filled, sets)}) {
    const auto again = ck::placementFromText(written, filled);
    if (!again) wrong(again.error().message.c_str(), written);
    if (!(*again == *actors)) wrong("the actors became others", written);
  }
  if (text.size() % 4 != 0) return;
  const std::filesystem::path& folder = ck::fuzz::ownFolder();
  const auto files = ck::placementFiles(filled, sets);
  if (!files) wrong("not made", std::string(text));
  for (const ck::SceneFile& file : *files) {
    const std::filesystem::path path = folder / ("town" + std::string(file.ending));
    if (!ck::writeFileAtomically(path, std::as_bytes(std::span(file.text)))) {
      wrong("not written", std::string(text));
    }
    const auto again = ck::readPlacement(path, filled);
    if (!again || !(*again == *actors)) wrong("the file has others", std::string(text));
    std::error_code failed;
    std::filesystem::resize_file(path, 1, failed);
    (void)ck::readPlacement(path, filled);
  }
  if (ck::readPlacement(folder / "gone.csv", filled)) wrong("read from nothing", {});
}

void paste(std::string_view text) {
  ck::Project into = project();
  const auto pasted = ck::pasteActors(into, text);
  if (!pasted || pasted->actors.empty()) return;
  const std::string copied = ck::clipboardText(into, pasted->actors);
  const auto again = ck::pasteActors(into, copied);
  if (!again || again->actors.size() != pasted->actors.size()) wrong("not pasted again", copied);
  (void)ck::pasteSettings(into, pasted->actors, text);
}

void readMap(std::string_view text) {
  const auto map = ck::jointMapFromText(text);
  if (!map) return;
  const std::string written = ck::jointMapText(*map);
  (void)map->fitOf("Walk.BVH");
  const auto again = ck::jointMapFromText(written);
  if (!again) wrong(again.error().message.c_str(), written);
  if (!(*again == *map)) wrong("the map became another", written);
  if (text.size() % 4 != 0) return;
  const std::filesystem::path path = ck::fuzz::ownFolder() / "map.json";
  if (!ck::writeJointMap(path, *map) || !ck::readJointMap(path)) wrong("no file", written);
  std::error_code failed;
  std::filesystem::resize_file(path, 1, failed);
  if (ck::readJointMap(path)) wrong("read from half a file", written);
  if (ck::readJointMap(path.parent_path() / "gone.json")) wrong("read from nothing", written);
}

// The seal of a mutated journal never fits, so the reader is also given what it would seal.
void readJournal(std::string_view text) {
  const auto journal = ck::journalFromText(text);
  if (!journal) return;
  const auto again = ck::journalFromText(ck::journalText(*journal));
  if (!again || !(*again == *journal)) wrong("the journal became another", std::string(text));
  for (const ck::JournalEntry& entry : journal->entries) {
    if (entry.name.find('/') != std::string::npos || entry.name.starts_with('.')) {
      wrong("the journal names what lies elsewhere", std::string(text));
    }
  }
}

void sealNames(std::string_view text) {
  const ck::SetJournal journal{.entries = {{std::string(text), true, text.size()}}};
  readJournal(ck::journalText(journal));
}

void readCommands(std::string_view text) {
  const auto commands = ck::commandsFromText(text);
  if (!commands) return;
  const std::string written = ck::commandsText(*commands);
  const auto again = ck::commandsFromText(written);
  if (!again || !(*again == *commands)) wrong("the commands became others", written);
}

void readCells(std::string_view text) {
  ck::CsvReader reader(text, 100);
  std::vector<std::string> cells;
  std::string written = "\xEF\xBB\xBF";  // else a mark in the first cell would be taken for it
  std::vector<std::vector<std::string>> rows;
  for (auto more = reader.next(cells); more && *more; more = reader.next(cells)) {
    rows.push_back(cells);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      written += (c > 0 ? "," : "") + ck::csvCell(cells[c]);
      if (ck::textOfFormulaSafe(ck::formulaSafe(cells[c])) != cells[c]) wrong("unsafe", cells[c]);
    }
    written += "\r\n";
  }
  ck::CsvReader second(written, 100);
  for (const auto& row : rows) {
    const auto more = second.next(cells);
    if (!more || !*more || cells != row) wrong("a row became another", written);
  }
}

int feedTexts(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // Also the name of a file.
  (void)ck::isPlacementPath({reinterpret_cast<const char*>(data), size});
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'A':
      readActors(text);
      break;
    case 'P':
      paste(text);
      break;
    case 'M':
      readMap(text);
      break;
    case 'J':
      readJournal(text);
      break;
    case 'N':
      sealNames(text);
      break;
    case 'C':
      readCommands(text);
      break;
    case 'V':
      readCells(text);
      break;
    default:
      break;
  }
  return 0;
}

std::size_t mutateTexts(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  return ck::fuzz::mutateJsonInput(data, size, maxSize, seed, 1);
}

}  // namespace

CK_FUZZ_TARGET(texts, feedTexts, mutateTexts)
