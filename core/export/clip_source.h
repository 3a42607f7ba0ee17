#pragma once

#include <cstdint>
#include <string>

namespace ck {

// A file besides the rig that clips of an atlas came from. It is recorded so that the file can be
// found again.
struct ClipSource {
  std::string path;        // as it was given, UTF-8
  std::uint64_t hash = 0;  // XXH3-64 of its bytes
  bool operator==(const ClipSource&) const = default;
};

}  // namespace ck
