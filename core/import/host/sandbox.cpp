#include "core/import/host/sandbox.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>
#include <mutex>
#include <set>

namespace ck {
namespace {

std::atomic<bool> g_isRequired = false;

// Workers end on several threads.
struct Walls {
  std::mutex mutex;
  std::set<std::string> missing;
};

Walls& walls() {
  static Walls all;
  return all;
}

std::string missingWalls() {
  const std::lock_guard lock(walls().mutex);
  return fmt::format("{}", fmt::join(walls().missing, ", "));
}

}  // namespace

void requireSandbox() {
  g_isRequired = true;
}
bool isSandboxRequired() {
  return g_isRequired;
}

void addMissingWall(std::string_view wall) {
  constexpr std::size_t kMostWalls = 10;  // a worker may be hostile
  const std::lock_guard lock(walls().mutex);
  if (walls().missing.size() < kMostWalls) walls().missing.emplace(wall.substr(0, 200));
}

Notes sandboxNotes() {
  const std::string missing = missingWalls();
  if (missing.empty()) return {};
  return {{Note::Level::Warning, "SandboxMissing",
           fmt::format("readers of files were not fully confined ({}): read only files of people "
                       "whom you trust, or require the sandbox (--require-sandbox)",
                       missing)}};
}

std::string sandboxRefusal() {
  return fmt::format(
      "it is not read, because its reader cannot be confined ({}) as required "
      "(--require-sandbox)",
      missingWalls());
}

}  // namespace ck
