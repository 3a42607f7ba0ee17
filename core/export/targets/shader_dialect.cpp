#include "core/export/targets/shader_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/base/assert.h"
#include "core/export/targets/shader_tokens.h"
#include "core/export/targets/wgsl_text.h"

namespace ck {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Whether "NAME == NUMBER" holds.
bool holds(std::string_view condition, std::span<const ShaderConstant> constants) {
  const std::size_t equal = condition.find("==");
  CK_ASSERT(equal != std::string_view::npos);
  const std::string_view name = trimmed(condition.substr(0, equal));
  const std::string_view number = trimmed(condition.substr(equal + 2));
  const auto constant = std::ranges::find(constants, name, &ShaderConstant::name);
  CK_ASSERT(constant != constants.end());
  int value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  CK_ASSERT(read.ec == std::errc());
  return value == constant->value;
}

// Types that HLSL calls otherwise. Everything else of the subset is HLSL already.
std::string hlslWord(std::string_view word) {
  if (word == "vec2" || word == "vec3" || word == "vec4")
    return fmt::format("float{}", word.back());
  if (word == "ivec2" || word == "ivec4") return fmt::format("int{}", word.back());
  return std::string(word == "roundEven" ? "round" : word);
}

}  // namespace

std::string selectLines(std::string_view text, std::span<const ShaderConstant> constants) {
  std::string kept;
  std::vector<bool> open;  // for each #if around the line, whether its branch is selected
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    const std::string_view words = trimmed(line.substr(0, line.find('\n')));
    text.remove_prefix(end);
    if (words.starts_with("#if ")) {
      open.push_back(holds(words.substr(4), constants));
    } else if (words == "#else") {
      open.back() = !open.back();
    } else if (words == "#endif") {
      open.pop_back();
    } else if (std::ranges::all_of(open, [](bool selected) { return selected; })) {
      kept += line;
    }
  }
  CK_ASSERT(open.empty());
  return kept;
}

std::string inDialect(std::string_view text, ShaderDialect dialect) {
  if (dialect == ShaderDialect::Wgsl) return wgslText(text);
  std::string result;
  bool marked = false;  // the space behind CK_FN goes with it
  for (const ShaderToken& token : shaderTokens(text)) {
    result += marked ? std::string_view() : token.before;
    marked = token.text == "CK_FN";
    if (marked) continue;
    result += dialect == ShaderDialect::Hlsl ? hlslWord(token.text) : std::string(token.text);
  }
  return result;
}

}  // namespace ck
