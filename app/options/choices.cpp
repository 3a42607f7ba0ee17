#include "app/options/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/options/numbers.h"

namespace ck::cli {

CLI::Validator aboveZero(double most) {
  const auto refuse = [most](const std::string& word) -> std::string {
    const auto number = numberFrom<double>(word);
    if (number && *number > 0.0 && *number <= most) return {};
    return fmt::format("'{}' is not a number above 0 and up to {:g}", word, most);
  };
  return {refuse, ""};
}

CLI::Validator finiteNumber() {
  const auto refuse = [](const std::string& word) -> std::string {
    const auto number = numberFrom<double>(word);
    if (number && std::abs(*number) <= 1e9) return {};
    return fmt::format("'{}' is not a number between -1e9 and 1e9", word);
  };
  return {refuse, ""};
}

CLI::Option* offer(CLI::Option* option, std::vector<std::string> offered) {
  const std::string listed = fmt::format("{}", fmt::join(offered, ", "));
  const auto refuse = [offered = std::move(offered), listed](const std::string& word) {
    if (std::ranges::find(offered, word) != offered.end()) return std::string();
    return fmt::format("'{}' is not offered by this version; there is: {}", word, listed);
  };
  return option->check(refuse)->option_text(listed);
}

}  // namespace ck::cli
