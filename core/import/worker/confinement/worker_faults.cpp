#include "core/import/worker/confinement/worker_faults.h"

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/character_file.h"

namespace ck::worker {
namespace {

std::string_view wanted() {
  const char* fault = std::getenv("CROWDKILN_IMPORT_FAULT");
  return fault == nullptr ? std::string_view() : std::string_view(fault);
}

[[noreturn]] void flood(int descriptor) {
  const std::string block(65'536, 'x');
  while (::write(descriptor, block.data(), block.size()) > 0) {
  }
  std::_Exit(0);
}

}  // namespace

void provokeFaultBefore() {
  const std::string_view fault = wanted();
  if (fault == "hang") {
    while (true) ::pause();
  }
  if (fault == "busy") {
    for (volatile unsigned count = 0;;) count = count + 1;
  }
  if (fault == "crash") ::raise(SIGSEGV);
  if (fault == "forbidden") ::chmod("/nowhere", 0600);
  if (fault == "suspend") ::raise(SIGSTOP);
  if (fault == "abort") std::abort();
  if (fault == "flood-output") flood(STDOUT_FILENO);
  if (fault == "flood-errors") flood(STDERR_FILENO);
  if (fault == "memory") throw std::bad_alloc();
  if (fault == "garbage") {
    std::vector<unsigned char> noise(100'000);
    unsigned state = 12345;
    for (unsigned char& byte : noise)
      byte = static_cast<unsigned char>((state = state * 1664525u + 1013904223u) >> 24);
    const std::uint32_t head[] = {blob::kMagic, blob::kVersion};
    std::memcpy(noise.data(), head, sizeof head);
    if (::write(STDOUT_FILENO, noise.data(), noise.size()) < 0) std::_Exit(1);
    std::_Exit(0);
  }
}

void provokeFaultAfter(std::span<const std::byte> result) {
  if (wanted() != "half") return;
  if (::write(STDOUT_FILENO, result.data(), result.size() / 2) >= 0) ::raise(SIGKILL);
}

}  // namespace ck::worker
