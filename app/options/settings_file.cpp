#include "app/options/settings_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "app/options/json.h"
#include "app/options/listed_names.h"
#include "core/base/json_text.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

// Options that express the same setting. One on the command line overrides all of its group.
const std::vector<std::vector<std::string>> kGroups = {
    {"--rate", "--frames"}, {"--height", "--unit-scale"}, {"--fade", "--fade-seconds"}};

// Options of a timed fade. A constant fade replaces all of them.
const std::vector<std::string> kOfPassing = {"--fade-at", "--fade-phase", "--fade-eased"};

// Options that take several names with commas between them, as listed() reads them.
const std::vector<std::string> kListed = {"--clips", "--crowd"};

bool saidSo(const std::vector<std::string>& arguments, const std::string& option) {
  const bool letter = !option.starts_with("--");
  return std::ranges::any_of(arguments, [&](const std::string& argument) {
    if (letter && !argument.starts_with("--") && argument.starts_with(option)) return true;
    return argument == option || argument.starts_with(option + "=");
  });
}

bool said(const std::vector<std::string>& arguments, const std::string& option) {
  const auto isSaid = [&arguments](const std::string& each) { return saidSo(arguments, each); };
  if (std::ranges::find(kOfPassing, option) != kOfPassing.end() && isSaid("--fade")) return true;
  for (const std::vector<std::string>& group : kGroups) {
    if (std::ranges::find(group, option) != group.end()) return std::ranges::any_of(group, isSaid);
  }
  return isSaid(option);
}

// Options of one call of the program, which are not settings. A settings file of a stranger cannot
// say which files are written and removed.
bool isOfTheCall(const std::string& key) {
  constexpr std::string_view kOfTheCall[] = {"settings", "json",  "quiet", "help",
                                             "output",   "stats", "only"};
  return std::ranges::find(kOfTheCall, key) != std::end(kOfTheCall);
}

// Whether a key is the name of an option and nothing more, such as "output=folder".
bool isName(std::string_view key) {
  return !key.empty() && key.front() != '-' && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// An option with its value in one word, so that a value that looks like an option is none. An empty
// value would let the option take the next word.
void addOption(std::vector<std::string>& words, const std::string& option,
               const std::string& value) {
  if (value.empty()) {
    words.insert(words.end(), {option, ""});
  } else {
    words.push_back(option + "=" + value);
  }
}

// A value of the file in command-line syntax; nothing for a switch that is off.
UsageResult<std::vector<std::string>> asArguments(const std::string& file,
                                                  const std::string& option, const Json& value) {
  if (value.is_boolean()) return std::vector<std::string>(value.get<bool>() ? 1 : 0, option);
  const bool isOne = value.is_number() || value.is_string();
  const Json entries = isOne ? Json::array({value}) : value;
  if (!entries.is_array() || entries.empty()) {
    return tl::unexpected(fmt::format("{}: '{}' is no value for {}", file, value.dump(), option));
  }
  const bool isListed = std::ranges::find(kListed, option) != kListed.end();
  std::vector<std::string> words;
  for (const Json& entry : entries) {
    const std::string text = entry.is_string() ? entry.get<std::string>() : entry.dump();
    // An entry of an array is one name, whatever is in it.
    addOption(words, option, isListed && value.is_array() ? asListed(text) : text);
  }
  return words;
}

UsageResult<Json> readSettings(const std::string& file) {
  const auto bytes = readFile(pathFromText(file), 1 << 20);
  if (!bytes) return tl::unexpected("--settings: " + bytes.error().message);
  auto json = parseJson({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!json || !json->is_object()) {
    return tl::unexpected(fmt::format("--settings: {} does not hold one JSON object of options{}",
                                      file, json ? "" : ": " + json.error().message));
  }
  return std::move(*json);
}

}  // namespace

std::string CompleteCall::originOf(std::string_view sentence) const {
  const std::size_t at = sentence.find("--");
  if (at == std::string_view::npos) return {};
  sentence.remove_prefix(at);
  const std::string option(sentence.substr(0, sentence.find_first_of(": =")));
  return std::ranges::find(ofFile, option) == ofFile.end() ? std::string() : file + ": ";
}

UsageResult<CompleteCall> withSettingsFile(std::vector<std::string> arguments) {
  const auto at = std::ranges::find_if(arguments, [](const std::string& argument) {
    return argument == "--settings" || argument.starts_with("--settings=");
  });
  if (at == arguments.end()) return CompleteCall{std::move(arguments)};
  const bool together = *at != "--settings";
  if (!together && at + 1 == arguments.end())
    return tl::unexpected(std::string("--settings needs the name of a JSON file"));
  const std::string name = together ? at->substr(11) : *(at + 1);
  const auto json = readSettings(name);
  if (!json) return tl::unexpected(json.error());
  CompleteCall call{.arguments = {}, .file = name};
  arguments.erase(at, at + (together ? 1 : 2));

  constexpr std::size_t kMostWords = 10'000;
  std::vector<std::string> added;
  for (const auto& [key, value] : json->items()) {
    if (added.size() > kMostWords) {
      return tl::unexpected(fmt::format("{}: it holds more than {} values", name, kMostWords));
    }
    if (isOfTheCall(key)) {
      return tl::unexpected(fmt::format(
          "{}: '{}' cannot stand in a settings file; say it on the command line", name, key));
    }
    if (!isName(key)) {
      return tl::unexpected(fmt::format("{}: '{}' is no name of an option", name, key));
    }
    const std::string option = "--" + key;
    if (said(arguments, option)) continue;
    if (value.size() > kMostWords) {
      return tl::unexpected(fmt::format("{}: '{}' has more than {} values", name, key, kMostWords));
    }
    const auto words = asArguments(name, option, value);
    if (!words) return tl::unexpected(words.error());
    added.insert(added.end(), words->begin(), words->end());
    call.ofFile.push_back(option);
  }
  // Insert after the sub-command's name, which comes first.
  arguments.insert(arguments.begin() + (arguments.empty() ? 0 : 1), added.begin(), added.end());
  call.arguments = std::move(arguments);
  return call;
}

}  // namespace ck::cli
