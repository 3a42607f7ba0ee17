#include "tests/support/hostile_text.h"

#include <QtGlobal>
#include <array>
#include <cctype>
#include <random>

namespace ck::test {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    lines.back() += c;
    if (c == '\n') lines.emplace_back();
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

// First and length of every word that starts like a number.
std::vector<std::pair<std::size_t, std::size_t>> numbersIn(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  const auto isPart = [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = isPart(text[i]) && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t');
    if (!starts) continue;
    std::size_t end = i;
    while (end < text.size() && isPart(text[end])) ++end;
    places.emplace_back(i, end - i);
    i = end;
  }
  return places;
}

}  // namespace

void forEachSpoiled(
    const std::string& text, std::size_t cutStep, int edits,
    const std::function<void(const std::string& spoiled, const std::string& how)>& visit) {
  for (std::size_t size = 0; size < text.size(); size += cutStep) {
    visit(text.substr(0, size), "cut at byte " + std::to_string(size));
  }
  std::mt19937 random(11);
  for (int round = 0; round < edits; ++round) {
    std::string spoiled = text;
    const std::uint32_t count = 1 + random() % 6;
    for (std::uint32_t edit = 0; edit < count; ++edit) {
      spoiled[random() % spoiled.size()] = static_cast<char>(random());
    }
    visit(spoiled, "alteration " + std::to_string(round));
  }
  const auto numbers = numbersIn(text);
  const std::array<std::string, 8> absurd = {"nan", "inf",        "1e400",      "-1",
                                             "",    "4294967295", "2000000000", "1e-400"};
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const std::string& value = absurd[n % absurd.size()];
    std::string spoiled = text;
    spoiled.replace(numbers[n].first, numbers[n].second, value);
    visit(spoiled, "number " + std::to_string(n) + " is '" + value + "'");
  }
  const std::vector<std::string> lines = linesOf(text);
  for (std::size_t l = 0; l < lines.size(); ++l) {
    std::vector<std::string> changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(l));
    visit(joined(changed), "without line " + std::to_string(l + 1));
    changed = lines;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(l), lines[l]);
    visit(joined(changed), "line " + std::to_string(l + 1) + " twice");
  }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) qFatal("there is no %s to replace", std::string(from).c_str());
  return text.replace(at, from.size(), to);
}

std::string withLineEnds(const std::string& text, const std::string& lineEnd) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += lineEnd;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace ck::test
