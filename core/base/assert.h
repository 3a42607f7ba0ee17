#pragma once

namespace ck {

// Logs the failed condition and aborts. Called by CK_ASSERT only.
[[noreturn]] void assertFailed(const char* condition, const char* file, int line);

}  // namespace ck

// Checks for programming errors (an index out of range, a broken contract between two functions),
// never for bad input. The check is active in every build: it costs one comparison, and a wrong
// image costs more.
#define CK_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::ck::assertFailed(#condition, __FILE__, __LINE__))
