#pragma once

#include <cstddef>
#include <string_view>

namespace ck {

// Length in bytes (1 to 4) of the well-formed UTF-8 sequence at the start of `text`. 0 if `text` is
// empty or the sequence is malformed: overlong, a surrogate, above U+10FFFF, or truncated.
std::size_t utf8SequenceLength(std::string_view text);

// Whether all of `text` is well-formed UTF-8.
bool isUtf8(std::string_view text);

}  // namespace ck
