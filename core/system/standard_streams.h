#pragma once

namespace ck {

// Takes the places of standard streams that this process was started without, so that no file that
// is opened later becomes one of them. Such a stream has nothing to read, and writing to it fails.
// Called first in main().
void holdStandardStreams();

// For the outermost catch block of main(): says the exception on standard error, with `program`
// ("kiln: ") before it. Takes no memory, because there may be none. Returns the exit code: 3 if
// memory is lacking, else 6.
int lastWords(const char* program) noexcept;

}  // namespace ck
