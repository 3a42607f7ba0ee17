#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ck::cli {

// Accepts numbers in (0, most], but not "nan" or "inf".
CLI::Validator aboveZero(double most);
CLI::Validator finiteNumber();  // between -1e9 and 1e9

// Refuses words that are not in `offered`, with a message that lists them.
CLI::Option* offer(CLI::Option* option, std::vector<std::string> offered);

// The words of an option, with the values that they stand for.
template <class Value>
using Words = std::vector<std::pair<std::string_view, Value>>;

// The words for values that have names.
template <class Value>
Words<Value> wordsFor(std::initializer_list<Value> values, std::string_view (*name)(Value)) {
  Words<Value> words;
  for (const Value value : values) words.emplace_back(name(value), value);
  return words;
}

// Adds an option that sets `target` to the value of one of the words.
template <class Value, class Target>
CLI::Option* addChoice(CLI::App& app, const std::string& name, Target& target,
                       const Words<Value>& words, const std::string& help) {
  std::vector<std::string> offered;
  for (const auto& [word, value] : words) offered.emplace_back(word);
  const auto set = [&target, words](const std::string& chosen) {
    for (const auto& [word, value] : words) {
      if (word == chosen) target = value;
    }
  };
  return offer(app.add_option_function<std::string>(name, set, help), std::move(offered));
}

}  // namespace ck::cli
