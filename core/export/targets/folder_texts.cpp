#include "core/export/targets/folder_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/assert.h"
#include "players/players.h"

namespace ck {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// Fills in every word of a text once: names of the artist may hold words, which stay as they are.
std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string, std::string>>& words) {
  std::string result;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find('@'), text.size());
    result += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const std::size_t end = text.find('@', 1);
    const std::string_view word =
        end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
    const auto known = std::ranges::find(words, word, &std::pair<std::string, std::string>::first);
    result += known == words.end() ? "@" : known->second;
    text.remove_prefix(known == words.end() ? 1 : end + 1);
  }
  return result;
}

}  // namespace

std::vector<std::byte> bytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

FolderTexts folderTexts(std::string_view player, const TargetInput& input,
                        std::vector<std::pair<std::string, std::string>> words) {
  FolderTexts texts = {player, fmt::format("{}.{}/", input.name, player), std::move(words)};
  texts.words.emplace_back("name", input.name);
  texts.words.emplace_back("htmlName", htmlText(input.name));
  texts.words.emplace_back("markdownName", htmlText(input.name));
  texts.words.emplace_back("scriptName", scriptText(input.name));
  texts.words.emplace_back("clips", clipTable(input.atlas));
  return texts;
}

std::vector<TargetFile> copiedTexts(const FolderTexts& texts,
                                    std::initializer_list<std::string_view> files) {
  std::vector<TargetFile> copies;
  for (const std::string_view file : files) {
    const auto embedded = playerText(fmt::format("{}/{}", texts.player, file));
    CK_ASSERT(embedded);
    copies.push_back({texts.folder + std::string(file), bytesOf(filled(*embedded, texts.words))});
  }
  return copies;
}

std::string clipTable(const Atlas& atlas) {
  std::string table = "| clip | seconds | at its end | walks |\n|---|---|---|---|\n";
  for (const AtlasClip& clip : atlas.clips) {
    const std::string name = replaced(htmlText(clip.name), "|", "\\|");
    const char* end = clip.loop == LoopMode::Once   ? "stops"
                      : clip.loop == LoopMode::Loop ? "starts again"
                                                    : "goes back";
    const double speed = clip.groundSpeedMetersPerSecond;
    const std::string walks = speed > 0.0 ? fmt::format("{:.2f} m/s", speed) : "";
    table += fmt::format("| {} | {:.3f} | {} | {} |\n", name, clip.durationSeconds, end, walks);
  }
  return table;
}

std::string htmlText(std::string_view text) {
  std::string safe = replaced(std::string(text), "&", "&amp;");
  safe = replaced(std::move(safe), "<", "&lt;");
  safe = replaced(std::move(safe), ">", "&gt;");
  return replaced(std::move(safe), "\"", "&quot;");
}

std::string scriptText(std::string_view text) {
  // As JSON without its quotes; '<' could end the script.
  const nlohmann::json json(text);
  const std::string quoted = json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return replaced(quoted.substr(1, quoted.size() - 2), "<", "\\u003c");
}

}  // namespace ck
