#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ck {

// A value of a parsed document. Only json_fields.cpp knows its type.
struct JsonValue;

// A JSON text that was parsed. What parsers let through is refused as well: values that are nested
// too deep (LimitExceeded) and keys that are there twice. Other errors are InvalidInput and name
// the line and column.
class JsonDocument {
 public:
  static Result<JsonDocument> parse(std::string_view text);
  ~JsonDocument();
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;

  const JsonValue& root() const;

 private:
  struct Value;
  explicit JsonDocument(std::unique_ptr<const Value> value);
  std::unique_ptr<const Value> value_;
};

// Reads the entries of one object with their ranges. The first thing that is wrong is kept in
// `problem` and ends the reading. A missing key leaves what `value` holds already, or is wrong, as
// `missing` says. The document and `problem` must outlive it; `where` stands in front of the keys
// that sentences name.
class JsonFields {
 public:
  enum class Missing { IsKept, IsWrong };
  JsonFields(const JsonValue& object, std::string where, std::optional<Error>& problem,
             Missing missing = Missing::IsKept);

  bool has(const char* key) const { return lookUp(key) != nullptr; }
  std::vector<std::string> keys() const;

  void number(const char* key, double& value, double low, double high);
  // Any unsigned 64-bit number.
  void seed(const char* key, std::uint64_t& value);
  void flag(const char* key, bool& value);
  void text(const char* key, std::string& value);
  template <class Integer>
  void integer(const char* key, Integer& value, std::int64_t low, std::int64_t high) {
    if (const auto read = wholeNumber(key, low, high)) value = static_cast<Integer>(*read);
  }

  // One of the names that `nameOf` gives for `choices`.
  template <class Enum, class Name>
  void choice(const char* key, Enum& value, std::initializer_list<Enum> choices, Name&& nameOf) {
    std::string word(nameOf(value));
    text(key, word);
    if (problem_) return;
    for (const Enum each : choices) {
      if (nameOf(each) != word) continue;
      value = each;
      return;
    }
    notOffered(key, word);
  }
  // One of the words that `fromName` knows.
  template <class Enum>
  void choice(const char* key, Enum& value, std::optional<Enum> (*fromName)(std::string_view),
              std::string_view (*nameOf)(Enum)) {
    std::string word(nameOf(value));
    text(key, word);
    if (problem_) return;
    if (const auto known = fromName(word)) {
      value = *known;
    } else {
      notOffered(key, word);
    }
  }
  // As above; a missing key leaves `value` empty.
  template <class Enum, class Name>
  void optionalChoice(const char* key, std::optional<Enum>& value,
                      std::initializer_list<Enum> choices, Name&& nameOf) {
    if (!has(key)) return;
    Enum chosen = *choices.begin();
    choice(key, chosen, choices, nameOf);
    if (!problem_) value = chosen;
  }

  // The entries of a list with at most `most` entries; empty if the key is missing.
  std::vector<const JsonValue*> list(const char* key, std::size_t most);
  // A list of numbers in a range, or of strings. `what` is the message for another list.
  std::vector<double> numbers(const char* key, std::size_t most, double low, double high,
                              std::string_view what);
  std::vector<std::string> texts(const char* key, std::size_t most, std::string_view what);
  // Exactly `count` numbers; that many zeros where the list is wrong or missing.
  std::vector<double> exactly(std::size_t count, const char* key);
  // The value under a key, or an empty object.
  const JsonValue& part(const char* key);
  // The fields of the object under a key, and of the objects of a list. They name their keys
  // "clips[2].name", and treat missing keys as this one does.
  JsonFields object(const char* key);
  std::vector<JsonFields> objects(const char* key, std::size_t most);

  void wrong(std::string_view key, std::string_view what);
  // Reports a value of a later version, which is valid but not supported.
  void notOffered(const char* key, const std::string& word);
  const std::optional<Error>& problem() const { return problem_; }

 private:
  friend class JsonColumn;
  const JsonValue* lookUp(const char* key) const;
  const JsonValue* find(const char* key);
  std::optional<std::int64_t> wholeNumber(const char* key, std::int64_t low, std::int64_t high);

  const JsonValue& object_;
  std::string where_;
  std::optional<Error>& problem_;
  Missing missing_;
};

// The double with the fewest digits that reads back as this float: 0.1, not 0.10000000149. 0 for
// what is not finite.
double shortestDouble(float value);

// One property of `count` things: a single value for all, or a list with `perThing` entries for
// each. What reads an entry returns nothing where there is none; the first wrong entry ends the
// reading of the column.
class JsonColumn {
 public:
  // `what` is the name of the items in messages.
  JsonColumn(JsonFields& fields, const std::string& key, std::size_t count, std::string_view what,
             std::size_t perThing = 1);

  std::optional<double> number(std::size_t index, double low, double high);
  // A number of at most `limit` of either sign; an entry may be null, which is none.
  std::optional<double> optionalNumber(std::size_t index, double limit);
  std::optional<std::int64_t> whole(std::size_t index, std::int64_t low, std::int64_t high);
  std::optional<bool> flag(std::size_t index);
  // An index into a list of `count` entries called `what`, or -1 for none.
  std::optional<std::int64_t> choice(std::size_t index, std::size_t count, std::string_view what);
  // Empty text where the entry is no text.
  std::optional<std::string> word(std::size_t index) const;

  void wrong(std::size_t index, std::string_view what);

 private:
  const JsonValue* at(std::size_t index) const;

  JsonFields& fields_;
  std::string key_;
  const JsonValue* json_;
};

}  // namespace ck
