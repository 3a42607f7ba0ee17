#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ck {

// Length in bytes (1 to 4) of the well-formed UTF-8 sequence at the start of `text`. 0 if `text` is
// empty or the sequence is malformed: overlong, a surrogate, above U+10FFFF, or truncated.
std::size_t utf8SequenceLength(std::string_view text);

// Whether all of `text` is well-formed UTF-8.
bool isUtf8(std::string_view text);

// The text with every character written out (\x1b, \u202e) that a reader would not see but that
// changes what is seen: control characters, which move the cursor of a terminal, marks that reverse
// the direction, blanks without width, and tags (\U000e0061) outside of flags. Names of strangers'
// files are shown so. `keepsLines`: line breaks stay.
std::string visibleText(std::string_view text, bool keepsLines = false);

}  // namespace ck
