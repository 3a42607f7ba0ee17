#pragma once

namespace ck {

// Takes the places of standard streams that this process was started without, so that no file that
// is opened later becomes one of them. Such a stream has nothing to read, and writing to it fails.
// Called first in main().
void holdStandardStreams();

}  // namespace ck
