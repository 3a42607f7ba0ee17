#include "core/import/host/sandbox.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <iterator>
#include <mutex>
#include <set>
#include <vector>

#include "core/base/json_fields.h"
#include "core/base/log.h"

namespace ck {
namespace {

struct WallWords {
  Wall wall;
  std::string_view name;
  std::string_view isMissing;
};
constexpr WallWords kWalls[] = {
    {Wall::Landlock, "landlock", "this system has no Landlock"},
    {Wall::SystemCalls, "seccomp", "this system has no seccomp filter"},
    {Wall::Privileges, "privileges", "new privileges cannot be ruled out"},
    {Wall::Rights, "rights", "the rights of root could not be given up"},
    {Wall::Limits, "limits", "a limit of memory, time or files could not be set"},
    {Wall::All, "all", "sanitizer build, process limits only"},
};

std::atomic<bool> g_isRequiredForGood = false;
std::atomic<bool> g_isRequired = false;

// Workers end on several threads.
struct Walls {
  std::mutex mutex;
  std::set<Wall> missing;
};

Walls& walls() {
  static Walls all;
  return all;
}

std::string missingWalls() {
  const std::lock_guard lock(walls().mutex);
  std::vector<std::string_view> words;
  for (const Wall wall : walls().missing) words.push_back(wallIsMissing(wall));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string_view wallName(Wall wall) {
  return kWalls[static_cast<std::size_t>(wall)].name;
}

std::optional<Wall> wallFromName(std::string_view name) {
  for (const WallWords& words : kWalls) {
    if (words.name == name) return words.wall;
  }
  return std::nullopt;
}

std::string_view wallIsMissing(Wall wall) {
  return kWalls[static_cast<std::size_t>(wall)].isMissing;
}

void requireSandbox() {
  g_isRequiredForGood = true;
}
void setSandboxRequired(bool isRequired) {
  g_isRequired = isRequired;
}
bool isSandboxRequired() {
  return g_isRequiredForGood || g_isRequired;
}
bool isSandboxRequiredForGood() {
  return g_isRequiredForGood;
}

void addMissingWall(Wall wall) {
  {
    const std::lock_guard lock(walls().mutex);
    if (!walls().missing.insert(wall).second) return;
  }
  log().info("readers of files are not fully confined: {}", wallIsMissing(wall));
}

void hearMissingWalls(JsonFields& firstMessage) {
  std::vector<std::string> names;
  firstMessage.texts("missing", names, std::size(kWalls), "is no list of walls");
  for (const std::string& name : names) {
    if (const auto wall = wallFromName(name)) addMissingWall(*wall);
  }
}

Notes sandboxNotes() {
  const std::string missing = missingWalls();
  if (missing.empty()) return {};
  return {{Note::Level::Warning, "SandboxMissing",
           fmt::format(
               "readers of files were not fully confined ({}): read only files of people "
               "whom you trust, or require the sandbox (--require-sandbox, in the window File > "
               "Require the sandbox)",
               missing)}};
}

std::string sandboxRefusal() {
  return fmt::format(
      "it is not read, because its reader cannot be confined ({}) as required "
      "(--require-sandbox, in the window File > Require the sandbox)",
      missingWalls());
}

}  // namespace ck
