#pragma once

namespace ck {

// Logs the failed condition and aborts. Called by CK_ASSERT only.
[[noreturn]] void assertFailed(const char* condition, const char* file, int line);

}  // namespace ck

// For faults of our own (an index out of range, a broken promise between two functions), never for
// bad input. On in every build: its cost is a compare, and a wrong picture costs more.
#define CK_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::ck::assertFailed(#condition, __FILE__, __LINE__))
