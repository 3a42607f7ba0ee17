#include "core/export/targets/shader_dialect.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/base/assert.h"

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

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
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
  std::string result(text);
  if (isGlsl(dialect)) replaceAll(result, "CK_FN ", "");
  return result;
}

}  // namespace ck
