#pragma once

#include <random>
#include <string>
#include <string_view>

namespace ck::fuzz {

// Up to eight bits or bytes become others, a part is cut out or comes twice, the end is missing, or
// the end is that of `other`.
std::string mutatedBytes(std::string_view bytes, std::string_view other, std::mt19937& random);

// Up to four numbers or words of a text become others, or whole lines go, come twice or change
// places.
std::string mutatedText(std::string_view text, std::mt19937& random);

}  // namespace ck::fuzz
