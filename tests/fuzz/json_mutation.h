#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace ck::fuzz {

// Changes up to four places of a JSON text so that it stays JSON: numbers, texts and types of
// values, entries of lists and objects that go, come twice or change places, and values and keys
// that come from elsewhere in the document. A text that is not JSON, or is nested deeper than 64
// levels, comes back unchanged.
std::string mutatedJson(std::string_view text, std::mt19937& random);

}  // namespace ck::fuzz
