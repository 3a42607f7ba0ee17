#include "core/system/memory_reserve.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>

#include "core/system/standard_streams.h"

namespace ck {
namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;

std::atomic<void*> g_reserve = nullptr;
std::atomic<const char*> g_program = "";
thread_local bool t_hasFailed = false;  // an allocation of this thread

void giveBack() {
  void* const reserve = g_reserve.exchange(nullptr);
  if (reserve != nullptr) ::munmap(reserve, kBytes);
  t_hasFailed = true;
  throw std::bad_alloc();
}

// An exception that left a function without exceptions was not always caught before.
void rethrow() {
  if (std::current_exception()) throw;
  if (t_hasFailed && std::uncaught_exceptions() > 0) throw std::bad_alloc();
}

[[noreturn]] void endInASentence() {
  try {
    rethrow();
  } catch (const std::bad_alloc&) {
    ::_exit(lastWords(g_program));
  } catch (...) {
    std::abort();
  }
  std::abort();
}

}  // namespace

void keepMemoryReserve(const char* program) {
  if (g_reserve.load() != nullptr) return;
  g_program = program;
  std::set_new_handler(giveBack);
  std::set_terminate(endInASentence);
  // Pages without access cost addresses, which a limit of the process counts, but no memory.
  void* const reserve =
      ::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserve == MAP_FAILED) return;
  void* none = nullptr;
  if (!g_reserve.compare_exchange_strong(none, reserve)) ::munmap(reserve, kBytes);
}

}  // namespace ck
