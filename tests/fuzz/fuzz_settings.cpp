#include <algorithm>
#include <cstdio>
#include <fstream>

#include "app/options/settings_file.h"
#include "tests/fuzz/target_list.h"
#include "tests/fuzz/text_target.h"

namespace {

void wrong(const char* what, const std::string& word) {
  std::fprintf(stderr, "%s: '%s'\n", what, word.c_str());
  __builtin_trap();
}

// An option that a settings file adds: its name, and in the same word its value.
void checkWord(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  if (!name.starts_with("--") || name.size() < 3 || name[2] == '-') wrong("no option", word);
  const bool isNamed = std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  if (!isNamed) wrong("no name", word);
  for (const char* own :
       {"--output", "--stats", "--only", "--settings", "--json", "--quiet", "--help"}) {
    if (name == own) wrong("an option of the call", word);
  }
}

// Reads any text as a settings file. One that passes adds options and nothing else to the call,
// none of which says which files are written. Built and run by scripts/fuzz.sh.
int feedSettings(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = ck::fuzz::ownFolder() / "settings.json";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto call =
      ck::cli::withSettingsFile({"bake", "rig.glb", "--settings", path.string(), "-o", "out"});
  if (!call) return 0;
  const std::vector<std::string>& words = call->arguments;
  if (words.size() < 4 || words.front() != "bake" || words[words.size() - 3] != "rig.glb" ||
      words[words.size() - 2] != "-o" || words.back() != "out") {
    wrong("the call became another", path.string());
  }
  for (std::size_t i = 1; i + 3 < words.size(); ++i) {
    // An empty value is a word of its own.
    if (!words[i].empty() || i == 1) checkWord(words[i]);
  }
  return 0;
}

std::size_t mutateSettings(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                           unsigned seed) {
  return ck::fuzz::mutateJsonInput(data, size, maxSize, seed);
}

}  // namespace

CK_FUZZ_TARGET(settings, feedSettings, mutateSettings)
