#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ck::test {

// Ways to spoil a text file, each with the name of what was done: cut at every `cutStep`th byte,
// `edits` random alterations of one to six bytes, numbers replaced by absurd ones (nan, inf, 1e400,
// -1, 4294967295, 2000000000, an empty word), lines left out and doubled. The same every time.
void forEachSpoiled(
    const std::string& text, std::size_t cutStep, int edits,
    const std::function<void(const std::string& spoiled, const std::string& how)>& visit);

// The text with the first `from` replaced; ends the program where there is none.
std::string replaced(std::string text, std::string_view from, std::string_view to);

// The same text with the line ends "\n" replaced.
std::string withLineEnds(const std::string& text, const std::string& lineEnd);

}  // namespace ck::test
