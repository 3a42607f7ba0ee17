#pragma once

namespace ck {

// Which instructions evaluate eight values side by side. Both give the same bytes; tests compare
// them.
enum class LanePath {
  Best,   // those of the processor
  Plain,  // those that every processor has
};

}  // namespace ck
