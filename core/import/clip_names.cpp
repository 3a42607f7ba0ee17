#include "core/import/clip_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "core/base/utf8.h"

namespace ck {
namespace {

// Names without the number at their end, in lower case.
constexpr std::array<std::string_view, 19> kGenericNames = {
    "",           "scene",           "take",           "unreal take",
    "default",    "default take",    "clip",           "anim",
    "animation",  "animationclip",   "anim stack",     "action",
    "armature",   "armature action", "armatureaction", "combinedanim",
    "mixamo.com", "untitled",        "unnamed"};

// The layers of an FBX, the last part of its clips' names.
constexpr std::array<std::string_view, 4> kLayers = {"layer", "baselayer", "base layer",
                                                     "animlayer"};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// In lower case and without "_001", ".001", " 3" or " (2)" at the end.
std::string withoutNumber(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto dropEnd = [&text](auto&& unwanted) {
    while (!text.empty() && unwanted(text.back())) text.pop_back();
  };
  const auto isBlank = [](char c) { return c == ' ' || c == '_' || c == '.' || c == '-'; };
  dropEnd(isBlank);
  const std::string whole = text;
  if (text.ends_with(')')) {
    text.pop_back();
    dropEnd(isDigit);
    if (text.ends_with('(')) text.pop_back();
    dropEnd(isBlank);
  }
  dropEnd(isDigit);
  dropEnd(isBlank);
  return text.empty() ? whole : text;  // a number alone may be the artist's name
}

bool isOneOf(const auto& names, std::string_view name) {
  return std::ranges::find(names, withoutNumber(name)) != names.end();
}

bool isShowable(std::string_view name) {
  return !name.empty() && isUtf8(name) &&
         std::ranges::none_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string noteOf(const Character& character) {
  std::size_t count = 0;
  const Clip* first = nullptr;
  for (const Clip& clip : character.clips) {
    if (clip.nameInFile.empty()) continue;
    if (first == nullptr) first = &clip;
    ++count;
  }
  if (count == 0) return {};
  if (count > 1) {
    return fmt::format(
        "{} clips are called without what exporters put around their names: '{}' "
        "is '{}'",
        count, first->nameInFile, first->name);
  }
  if (first->name == character.name) {
    return fmt::format("the clip '{}' is called '{}' after its file", first->nameInFile,
                       first->name);
  }
  return fmt::format("the clip '{}' is called '{}'", first->nameInFile, first->name);
}

}  // namespace

bool isGenericClipName(std::string_view name) {
  return isOneOf(kGenericNames, plainClipName(name));
}

std::string plainClipName(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t bar = std::min(name.find('|', from), name.size());
    if (bar > from) parts.push_back(name.substr(from, bar - from));
    from = bar + 1;
  }
  if (parts.size() > 1 && isOneOf(kLayers, parts.back())) parts.pop_back();
  return std::string(parts.empty() ? name : parts.back());
}

void nameClips(Character& character) {
  std::vector<std::string> wanted;
  for (const Clip& clip : character.clips) wanted.push_back(plainClipName(clip.name));
  if (wanted.size() == 1 && isGenericClipName(wanted[0]) && isShowable(character.name)) {
    wanted[0] = character.name;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Clip& clip = character.clips[i];
    if (clip.name == wanted[i]) continue;
    const auto isTaken = [&](const Clip& other) {
      return &other != &clip && (other.name == wanted[i] || other.nameInFile == wanted[i]);
    };
    const bool isAlone = std::ranges::count(wanted, wanted[i]) == 1 &&
                         std::ranges::none_of(character.clips, isTaken);
    if (!isAlone) continue;
    clip.nameInFile = clip.name;
    clip.name = wanted[i];
  }
  std::string said = noteOf(character);
  if (said.empty()) return;
  character.notes.push_back({Note::Level::Info, "ClipsRenamed", std::move(said)});
}

}  // namespace ck
