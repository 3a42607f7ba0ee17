#include "core/export/targets/shader_tokens.h"

#include <algorithm>
#include <array>

namespace ck {
namespace {

bool isWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t endOfSpace(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\n') {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else {
      break;
    }
  }
  return at;
}

// A number may hold a point and the sign of its exponent: 1e-6f.
std::size_t endOfNumber(std::string_view text, std::size_t at) {
  while (at < text.size() &&
         (isWordPart(text[at]) || text[at] == '.' || (text[at] == '-' && text[at - 1] == 'e'))) {
    ++at;
  }
  return at;
}

std::size_t endOfToken(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 13> kPairs = {
      "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "++", "<<", ">>"};
  if (at >= text.size()) return at;
  if (text[at] >= '0' && text[at] <= '9') return endOfNumber(text, at);
  if (isWordPart(text[at])) {
    while (at < text.size() && isWordPart(text[at])) ++at;
    return at;
  }
  const bool pair = std::ranges::find(kPairs, text.substr(at, 2)) != kPairs.end();
  return at + (pair ? 2 : 1);
}

}  // namespace

std::vector<ShaderToken> shaderTokens(std::string_view text) {
  std::vector<ShaderToken> tokens;
  std::size_t at = 0;
  do {
    const std::size_t start = endOfSpace(text, at);
    const std::size_t end = endOfToken(text, start);
    tokens.push_back({text.substr(at, start - at), text.substr(start, end - start)});
    at = end;
  } while (!tokens.back().text.empty());
  return tokens;
}

}  // namespace ck
