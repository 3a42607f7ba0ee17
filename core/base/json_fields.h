#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace ck {

// A value of a parsed document, and an object that is being written. Only json_fields.cpp knows
// their types.
struct JsonValue;
struct JsonObject;

// The keys that readers asked for, by object. Objects within lists are not watched.
using JsonAsked = std::map<const JsonValue*, std::set<std::string, std::less<>>>;

// Entries of objects: a JSON pointer and the JSON text of the value.
using UnreadEntries = std::vector<std::pair<std::string, std::string>>;

// A JSON text that was parsed. Faults that parsers let through are refused as well: values that are
// nested too deep (LimitExceeded) and keys that are there twice. Other errors are InvalidInput and
// name the line and column.
class JsonDocument {
 public:
  static Result<JsonDocument> parse(std::string_view text);
  const JsonValue& root() const { return *root_; }
  // The entries of watched objects that nobody has asked for. LimitExceeded beyond `most`.
  Result<UnreadEntries> unread(const JsonAsked& asked, std::size_t most) const;

 private:
  explicit JsonDocument(std::shared_ptr<const JsonValue> root) : root_(std::move(root)) {}
  std::shared_ptr<const JsonValue> root_;
};

// A JSON object that JsonFields writes, with its keys in the order in which they were written.
// Bytes that are not UTF-8 are replaced.
class JsonDraft {
 public:
  JsonDraft();
  // Every value on a line of its own.
  std::string longText() const;
  // Objects and lists of objects are broken into lines where they do not fit into one, for people
  // and version control. Other lists stay on one line.
  std::string shortText() const;
  // Adds what JsonDocument::unread() gave. Entries without an object to stand in, or with a key
  // that is taken, are left out.
  void add(const UnreadEntries& unread);

 private:
  friend class JsonFields;
  std::shared_ptr<JsonObject> object_;
  std::optional<Error> problem_;
};

// Reads or writes the entries of one object, so that one function can list the members of a struct
// for both. When it writes, values are only read, and rules that they break are ignored.
//
// Reading checks ranges. The first thing that is wrong is kept in `problem` and ends the reading. A
// missing key leaves what `value` holds already, or is wrong, as `missing` says. The document and
// `problem` must outlive it; `where` stands in front of the keys that sentences name.
//
// A nested object must be written completely before the next entry of the object around it.
class JsonFields {
 public:
  enum class Missing {
    IsKept,
    IsWrong,  // messages also number the entries of lists: "clips[2].name"
  };
  JsonFields(const JsonValue& object, std::string where, std::optional<Error>& problem,
             Missing missing = Missing::IsKept);
  explicit JsonFields(JsonDraft& draft);

  // From now on, notes the keys that are asked for, in this object and in those below.
  void watch(JsonAsked& asked) { asked_ = &asked; }
  void unwatch() { asked_ = nullptr; }

  // The same object with a place of its own for what is wrong, so that several threads can read it
  // at once. It must be one that is there. It is not watched.
  JsonFields reportingTo(std::optional<Error>& problem) const {
    return JsonFields(*object_, where_, problem, missing_);
  }

  bool writes() const { return target_ != nullptr; }
  // Whether an optional key is there: in the document, or `written` when writing.
  bool has(const char* key, bool written = true) const;
  // When writing, the next entry is left out if this is the usual value.
  JsonFields& unless(bool usual);
  std::vector<std::string> keys() const;

  void number(const char* key, double& value, double low, double high);
  // Written with the digits of shortestDouble().
  void number(const char* key, float& value, double low, double high);
  // Any unsigned 64-bit number.
  void seed(const char* key, std::uint64_t& value);
  void flag(const char* key, bool& value);
  void text(const char* key, std::string& value);
  template <class Integer>
  void integer(const char* key, Integer& value, std::int64_t low, std::int64_t high) {
    auto whole = static_cast<std::int64_t>(value);
    wholeNumber(key, whole, low, high);
    value = static_cast<Integer>(whole);
  }
  // A value for other readers of the file, which this program derives: written, but not read.
  void derived(const char* key, std::string_view value);
  void derived(const char* key, int value);

  // One of the words that `nameOf` gives for the values from 0 to `last`.
  template <class Enum>
  void choice(const char* key, Enum& value, std::string_view (*nameOf)(Enum), Enum last) {
    std::string word(nameOf(value));
    text(key, word);
    for (int each = 0; each <= static_cast<int>(last); ++each) {
      if (nameOf(static_cast<Enum>(each)) != word) continue;
      value = static_cast<Enum>(each);
      return;
    }
    notOffered(key, word);
  }
  // One of the words that `fromName` knows.
  template <class Enum>
  void choice(const char* key, Enum& value, std::string_view (*nameOf)(Enum),
              std::optional<Enum> (*fromName)(std::string_view)) {
    std::string word(nameOf(value));
    text(key, word);
    if (const auto known = fromName(word)) {
      value = *known;
    } else {
      notOffered(key, word);
    }
  }
  // As above; without the key, `value` is empty.
  template <class Enum, class Values>
  void optionalChoice(const char* key, std::optional<Enum>& value, std::string_view (*nameOf)(Enum),
                      Values values) {
    if (!has(key, value.has_value())) return;
    value = value.value_or(Enum{});
    choice(key, *value, nameOf, values);
  }

  // A list of at most `most` numbers in a range, or of strings. `what` is the message for another
  // list.
  void numbers(const char* key, std::vector<double>& values, std::size_t most, double low,
               double high, std::string_view what);
  void texts(const char* key, std::vector<std::string>& values, std::size_t most,
             std::string_view what);
  // Whole numbers from 0 to `high`.
  void wholes(const char* key, std::vector<std::uint16_t>& values, std::size_t most,
              std::uint16_t high, std::string_view what);
  // Whole numbers from `low` to `high`.
  void wholes(const char* key, std::vector<int>& values, std::size_t most, int low, int high,
              std::string_view what);
  // Exactly as many numbers as `values` has. It keeps this size where the list is wrong.
  void exactly(const char* key, std::vector<double>& values);

  // The object under a key; an empty one if a key that may be missing is missing.
  JsonFields object(const char* key);
  // The objects of a list with at most `most` entries; empty if the key is missing.
  std::vector<JsonFields> objects(const char* key, std::size_t most);
  // Calls `each(fields, item)` for the objects of a list, which are appended to `items` when
  // reading.
  template <class Item, class Each>
  void list(const char* key, std::vector<Item>& items, std::size_t most, Each&& each) {
    if (writes()) {
      if (!beginList(key)) return;
      for (Item& item : items) {
        JsonFields entry = newEntry(key);
        each(entry, item);
      }
    } else {
      for (JsonFields& entry : objects(key, most)) each(entry, items.emplace_back());
    }
  }

  void wrong(std::string_view key, std::string_view what);
  // Ends the reading with this error, if it has not ended yet.
  void refuse(const Error& error);
  // Reports a value of a later version, which is valid but not supported.
  void notOffered(const char* key, const std::string& word);
  const std::optional<Error>& problem() const { return problem_; }

 private:
  friend class JsonColumn;
  JsonFields(JsonObject& target, std::optional<Error>& problem)
      : target_(&target), problem_(problem) {}
  const JsonValue* lookUp(const char* key) const;
  const JsonValue* find(const char* key);
  const JsonValue* listUnder(const char* key, std::size_t most);
  void wholeNumber(const char* key, std::int64_t& value, std::int64_t low, std::int64_t high);
  template <class Value>
  void put(const char* key, const Value& value);
  bool beginList(const char* key);  // false if the list is left out
  JsonFields newEntry(const char* key);

  const JsonValue* object_ = nullptr;  // that is read
  JsonObject* target_ = nullptr;       // that is written
  std::string where_;
  std::optional<Error>& problem_;
  Missing missing_ = Missing::IsKept;
  JsonAsked* asked_ = nullptr;
  bool leavesOut_ = false;
};

// The double with the fewest digits that reads back as this float: 0.1, not 0.10000000149. 0 for
// what is not finite.
double shortestDouble(float value);

// One property of `count` things: a single value for all, or a list with `perThing` entries for
// each. A function that reads an entry returns nothing where there is none; the first wrong entry
// ends the reading of the column.
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
  // A text; any other entry is wrong.
  std::optional<std::string> text(std::size_t index);

  // Whether all have one value, or none.
  bool isShared() const;

  void wrong(std::size_t index, std::string_view what);

 private:
  const JsonValue* at(std::size_t index) const;

  JsonFields& fields_;
  std::string key_;
  const JsonValue* json_;
};

}  // namespace ck
