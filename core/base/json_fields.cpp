#include "core/base/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace ck {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 64;
constexpr std::size_t kLongestText = 32'768;

// A Json value under another name, so that headers do not depend on the JSON library.
const Json& of(const JsonValue& value) {
  return reinterpret_cast<const Json&>(value);
}
const JsonValue* asValue(const Json& json) {
  return reinterpret_cast<const JsonValue*>(&json);
}

// Thrown by the parser's callbacks to end parsing; caught in this file.
struct Refusal {
  Error error;
};

Error invalid(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

// Refuses what the parser accepts: deep nesting and duplicate keys.
class Guard {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kDeepest) {
        throw Refusal{{ErrorCode::LimitExceeded,
                       fmt::format("values are nested more than {} deep", kDeepest)}};
      }
    }
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
      throw Refusal{invalid(fmt::format("the key '{}' is there twice", parsed.get<std::string>()))};
    }
    return true;
  }

 private:
  std::vector<std::unordered_set<std::string>> keys_;
};

Result<Json> parseChecked(std::string_view text) {
  try {
    Guard guard;
    return Json::parse(text.begin(), text.end(),
                       [&guard](int depth, Json::parse_event_t event, const Json& parsed) {
                         return guard(depth, event, parsed);
                       });
  } catch (const Refusal& refusal) {
    return tl::unexpected(refusal.error);
  } catch (const Json::parse_error& problem) {
    const std::string_view before = text.substr(0, problem.byte > 0 ? problem.byte - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    return tl::unexpected(invalid(fmt::format(
        "line {}, column {}: {}", line, column,
        problem.byte > text.size() ? "the file ends too early" : "this is not valid JSON")));
  } catch (const Json::exception& problem) {
    return tl::unexpected(invalid(fmt::format("a value cannot be read: {}", problem.what())));
  }
}

// Nothing if it is not an integer in this range.
std::optional<std::int64_t> wholeWithin(const Json& json, std::int64_t low, std::int64_t high) {
  if (!json.is_number_integer()) return std::nullopt;
  const bool huge =
      json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  const auto value = json.get<std::int64_t>();
  return huge || value < low || value > high ? std::nullopt : std::optional(value);
}

}  // namespace

struct JsonDocument::Value {
  Json json;
};

JsonDocument::JsonDocument(std::unique_ptr<const Value> value) : value_(std::move(value)) {}
JsonDocument::~JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;

Result<JsonDocument> JsonDocument::parse(std::string_view text) {
  auto json = parseChecked(text);
  if (!json) return tl::unexpected(json.error());
  return JsonDocument(std::make_unique<const Value>(Value{std::move(*json)}));
}

const JsonValue& JsonDocument::root() const {
  return *asValue(value_->json);
}

JsonFields::JsonFields(const JsonValue& object, std::string where, std::optional<Error>& problem,
                       Missing missing)
    : object_(object), where_(std::move(where)), problem_(problem), missing_(missing) {
  if (!of(object_).is_object()) wrong("", "is not an object");
}

const JsonValue* JsonFields::find(const char* key) {
  const JsonValue* value = lookUp(key);
  if (value == nullptr && missing_ == Missing::IsWrong) wrong(key, "is missing");
  return value;
}

const JsonValue* JsonFields::lookUp(const char* key) const {
  const Json& object = of(object_);
  if (problem_ || !object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : asValue(*found);
}

std::vector<std::string> JsonFields::keys() const {
  std::vector<std::string> all;
  if (problem_ || !of(object_).is_object()) return all;
  for (const auto& [key, value] : of(object_).items()) all.push_back(key);
  return all;
}

void JsonFields::number(const char* key, double& value, double low, double high) {
  const JsonValue* json = find(key);
  if (json == nullptr) return;
  if (!of(*json).is_number()) return wrong(key, "is not a number");
  const double read = of(*json).get<double>();
  if (!(read >= low && read <= high)) {
    return wrong(key, fmt::format("is {}, not between {} and {}", read, low, high));
  }
  value = read;
}

std::optional<std::int64_t> JsonFields::wholeNumber(const char* key, std::int64_t low,
                                                    std::int64_t high) {
  const JsonValue* found = find(key);
  if (found == nullptr) return std::nullopt;
  const Json& json = of(*found);
  if (!json.is_number_integer()) {
    wrong(key, "is not a whole number");
    return std::nullopt;
  }
  const auto value = wholeWithin(json, low, high);
  if (!value) wrong(key, fmt::format("is {}, not between {} and {}", json.dump(), low, high));
  return value;
}

void JsonFields::seed(const char* key, std::uint64_t& value) {
  const JsonValue* json = find(key);
  if (json == nullptr) return;
  if (!of(*json).is_number_unsigned()) return wrong(key, "is not a whole number of 0 or more");
  value = of(*json).get<std::uint64_t>();
}

void JsonFields::flag(const char* key, bool& value) {
  const JsonValue* json = find(key);
  if (json == nullptr) return;
  if (!of(*json).is_boolean()) return wrong(key, "is neither true nor false");
  value = of(*json).get<bool>();
}

void JsonFields::text(const char* key, std::string& value) {
  const JsonValue* found = find(key);
  if (found == nullptr) return;
  const Json& json = of(*found);
  if (!json.is_string() || json.get_ref<const std::string&>().size() > kLongestText) {
    return wrong(key, "is not a text of ordinary length");
  }
  value = json.get<std::string>();
}

std::vector<const JsonValue*> JsonFields::list(const char* key, std::size_t most) {
  std::vector<const JsonValue*> entries;
  const JsonValue* json = find(key);
  if (json == nullptr) return entries;
  if (!of(*json).is_array() || of(*json).size() > most) {
    wrong(key, fmt::format("is not a list of at most {} entries", most));
    return entries;
  }
  for (const Json& entry : of(*json)) entries.push_back(asValue(entry));
  return entries;
}

std::vector<double> JsonFields::numbers(const char* key, std::size_t most, double low, double high,
                                        std::string_view what) {
  std::vector<double> all;
  for (const JsonValue* entry : list(key, most)) {
    const double value = of(*entry).is_number() ? of(*entry).get<double>() : std::nan("");
    if (!(value >= low && value <= high)) {
      wrong(key, what);
      return {};
    }
    all.push_back(value);
  }
  return all;
}

std::vector<std::string> JsonFields::texts(const char* key, std::size_t most,
                                           std::string_view what) {
  std::vector<std::string> all;
  for (const JsonValue* entry : list(key, most)) {
    if (!of(*entry).is_string()) {
      wrong(key, what);
      return {};
    }
    all.push_back(of(*entry).get<std::string>());
  }
  return all;
}

std::vector<double> JsonFields::exactly(std::size_t count, const char* key) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const std::string what = fmt::format("is not a list of {} numbers", count);
  std::vector<double> all = numbers(key, count, -kMost, kMost, what);
  if (all.size() != count) wrong(key, what);
  all.resize(count);
  return all;
}

JsonFields JsonFields::object(const char* key) {
  return {part(key), fmt::format("{}{}.", where_, key), problem_, missing_};
}

std::vector<JsonFields> JsonFields::objects(const char* key, std::size_t most) {
  std::vector<JsonFields> all;
  for (const JsonValue* entry : list(key, most)) {
    all.emplace_back(*entry, fmt::format("{}{}[{}].", where_, key, all.size()), problem_, missing_);
  }
  return all;
}

const JsonValue& JsonFields::part(const char* key) {
  static const Json kEmpty = Json::object();
  const JsonValue* json = find(key);
  return json == nullptr ? *asValue(kEmpty) : *json;
}

void JsonFields::wrong(std::string_view key, std::string_view what) {
  if (!problem_) problem_ = invalid(fmt::format("{}{} {}", where_, key, what));
}

void JsonFields::notOffered(const char* key, const std::string& word) {
  if (problem_) return;
  problem_ =
      Error{ErrorCode::Unsupported,
            fmt::format("{}{} is '{}', which this version does not offer", where_, key, word)};
}

double shortestDouble(float value) {
  if (!std::isfinite(value)) return 0.0;
  char text[64];
  const auto written = std::to_chars(std::begin(text), std::end(text), value);
  double result = 0.0;
  std::from_chars(text, written.ptr, result);
  return result;
}

JsonColumn::JsonColumn(JsonFields& fields, const std::string& key, std::size_t count,
                       std::string_view what, std::size_t perThing)
    : fields_(fields), key_(key), json_(fields.find(key.c_str())) {
  if (json_ != nullptr && of(*json_).is_array() && of(*json_).size() != count * perThing) {
    fields.wrong(key, fmt::format("has {} entries for {} {}", of(*json_).size(), count, what));
    json_ = nullptr;
  }
}

const JsonValue* JsonColumn::at(std::size_t index) const {
  if (json_ == nullptr || !of(*json_).is_array()) return json_;
  return asValue(of(*json_)[index]);
}

void JsonColumn::wrong(std::size_t index, std::string_view what) {
  fields_.wrong(fmt::format("{}[{}]", key_, index), what);
  json_ = nullptr;
}

std::optional<double> JsonColumn::number(std::size_t index, double low, double high) {
  const JsonValue* json = at(index);
  if (json == nullptr) return std::nullopt;
  const double value = of(*json).is_number() ? of(*json).get<double>() : std::nan("");
  if (value >= low && value <= high) return value;
  wrong(index, fmt::format("is not a number between {} and {}", low, high));
  return std::nullopt;
}

std::optional<double> JsonColumn::optionalNumber(std::size_t index, double limit) {
  const JsonValue* json = at(index);
  if (json == nullptr || of(*json).is_null()) return std::nullopt;
  return number(index, -limit, limit);
}

std::optional<std::int64_t> JsonColumn::whole(std::size_t index, std::int64_t low,
                                              std::int64_t high) {
  const JsonValue* json = at(index);
  if (json == nullptr) return std::nullopt;
  const auto value = wholeWithin(of(*json), low, high);
  if (!value) wrong(index, fmt::format("is not a whole number between {} and {}", low, high));
  return value;
}

std::optional<bool> JsonColumn::flag(std::size_t index) {
  const JsonValue* json = at(index);
  if (json == nullptr) return std::nullopt;
  if (of(*json).is_boolean()) return of(*json).get<bool>();
  wrong(index, "is neither true nor false");
  return std::nullopt;
}

std::optional<std::int64_t> JsonColumn::choice(std::size_t index, std::size_t count,
                                               std::string_view what) {
  const JsonValue* json = at(index);
  if (json == nullptr) return std::nullopt;
  const auto value = wholeWithin(of(*json), -1, static_cast<std::int64_t>(count) - 1);
  if (!value) wrong(index, fmt::format("is neither -1 nor one of {} {}", count, what));
  return value;
}

std::optional<std::string> JsonColumn::word(std::size_t index) const {
  const JsonValue* json = at(index);
  if (json == nullptr) return std::nullopt;
  return of(*json).is_string() ? of(*json).get<std::string>() : std::string();
}

}  // namespace ck
