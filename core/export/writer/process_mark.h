#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ck {

// Names a process among those of all machines that share a folder.
struct ProcessMark {
  std::uint32_t machine = 0;       // hash of /etc/machine-id; 0 if the machine has none
  std::uint32_t boot = 0;          // hash of the kernel's random boot id
  std::uint64_t pidNamespace = 0;  // inode of the namespace in which `pid` counts
  int pid = 0;
  std::uint64_t start = 0;  // start of the process, in clock ticks since boot
  bool operator==(const ProcessMark&) const = default;
};

ProcessMark markOfThisProcess();

// A text of letters, digits and '-', for names of files, and the mark of such a text.
std::string markText(const ProcessMark& mark);
std::optional<ProcessMark> markFromText(std::string_view text);

enum class ProcessState {
  Running,  // or its end cannot be seen: a process of this boot and namespace
  Ended,
  Rebooted,  // it ran on this machine before the machine started anew, as far as can be told
  Elsewhere,
};
ProcessState stateOf(const ProcessMark& mark);

}  // namespace ck
