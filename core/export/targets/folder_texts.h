#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/export/targets/export_target.h"

namespace ck {

// Files of an exported folder that are text.

std::vector<std::byte> bytesOf(std::string_view text);

// Copies of embedded files of players/ (players/players.h), with words filled in.
struct FolderTexts {
  std::string_view player;                                 // the folder below players/: "babylon"
  std::string folder;                                      // of the copies: "soldier.babylon/"
  std::vector<std::pair<std::string, std::string>> words;  // {"name", "soldier"} replaces @name@
};
// With the words that every player has: name, htmlName, markdownName, scriptName (the set's name
// for those places) and clips (clipTable()). The folder is the set's name + "." + player + "/".
FolderTexts folderTexts(std::string_view player, const TargetInput& input,
                        std::vector<std::pair<std::string, std::string>> words);
std::vector<TargetFile> copiedTexts(const FolderTexts& texts,
                                    std::initializer_list<std::string_view> files);

// The clips as a Markdown table for people: name, seconds, whether it loops, how fast it walks. A
// name is shown as it is, also where it looks like HTML.
std::string clipTable(const Atlas& atlas);

// A text that may stand anywhere in HTML, and one in a JavaScript string between quotes.
std::string htmlText(std::string_view text);
std::string scriptText(std::string_view text);

}  // namespace ck
