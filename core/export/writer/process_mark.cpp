#include "core/export/writer/process_mark.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/system/files.h"

namespace ck {
namespace {

// The content of a file of the system, empty if there is none.
std::string systemText(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uint32_t shortHash(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return text.empty() ? 0 : static_cast<std::uint32_t>(hashBytes(bytes) | 1);
}

std::uint64_t inodeOf(const char* path) {
  struct stat found = {};
  return ::stat(path, &found) == 0 ? found.st_ino : 0;
}

// The start of a process in clock ticks since boot; nothing if it has ended (proc(5), "stat").
std::optional<std::uint64_t> startOf(int pid) {
  const std::string text = systemText(fmt::format("/proc/{}/stat", pid));
  // The name of the program stands in brackets and may itself have brackets and blanks.
  const std::size_t name = text.rfind(')');
  if (name == std::string::npos) return {};
  std::istringstream fields(text.substr(name + 1));
  std::string state;
  fields >> state;
  if (state == "Z" || state == "X") return {};
  constexpr int kFieldsBetween = 18;
  std::string skipped;
  for (int i = 0; i < kFieldsBetween; ++i) fields >> skipped;
  std::uint64_t ticks = 0;
  fields >> ticks;
  return fields ? std::optional(ticks) : std::nullopt;
}

}  // namespace

ProcessMark markOfThisProcess() {
  const int pid = ::getpid();
  return {.machine = shortHash(systemText("/etc/machine-id")),
          .boot = shortHash(systemText("/proc/sys/kernel/random/boot_id")),
          .pidNamespace = inodeOf("/proc/self/ns/pid"),
          .pid = pid,
          .start = startOf(pid).value_or(0)};
}

std::string markText(const ProcessMark& mark) {
  return fmt::format("{:08x}-{:08x}-{:x}-{:x}-{:x}", mark.machine, mark.boot, mark.pidNamespace,
                     mark.pid, mark.start);
}

std::optional<ProcessMark> markFromText(std::string_view text) {
  std::array<std::uint64_t, 5> numbers = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '-')) return {};
    const auto read = std::from_chars(at, end, numbers[i], 16);
    if (read.ec != std::errc()) return {};
    at = read.ptr;
  }
  const ProcessMark mark = {.machine = static_cast<std::uint32_t>(numbers[0]),
                            .boot = static_cast<std::uint32_t>(numbers[1]),
                            .pidNamespace = numbers[2],
                            .pid = static_cast<int>(numbers[3]),
                            .start = numbers[4]};
  return at == end && markText(mark) == text ? std::optional(mark) : std::nullopt;
}

ProcessState stateOf(const ProcessMark& mark) {
  const ProcessMark own = markOfThisProcess();
  const bool sameMachine = mark.machine != 0 && mark.machine == own.machine;
  if (mark.boot != own.boot || mark.boot == 0) {
    return sameMachine ? ProcessState::Rebooted : ProcessState::Elsewhere;
  }
  if (mark.pidNamespace != own.pidNamespace) return ProcessState::Elsewhere;
  return startOf(mark.pid) == mark.start ? ProcessState::Running : ProcessState::Ended;
}

}  // namespace ck
