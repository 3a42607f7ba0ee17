#pragma once

#include <cstdint>

namespace ck {

// The bytes that this process can still take, as of now: what the system has, within the process's
// limit of address space (RLIMIT_AS) and the limit of its control group (cgroup version 2).
// Threads and other processes may take them first. 2 GiB where the system does not say.
std::uint64_t freeMemoryBytes();

}  // namespace ck
