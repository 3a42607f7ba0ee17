#pragma once

#include <cstddef>
#include <string_view>

namespace ck {

// Bytes of the well-formed UTF-8 sequence at the start of `text`, 1 to 4; 0 where it is broken (an
// overlong form, a surrogate, a code above U+10FFFF, cut short) or `text` is empty.
std::size_t utf8SequenceLength(std::string_view text);

// Whether all of `text` is well-formed UTF-8.
bool isUtf8(std::string_view text);

}  // namespace ck
