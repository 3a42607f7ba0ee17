#include "core/base/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"

namespace ck {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kLongestText = 32'768;

// JSON values under other names, so that headers do not depend on the JSON library.
const Json& of(const JsonValue& value) {
  return reinterpret_cast<const Json&>(value);
}
OrderedJson& of(JsonObject& object) {
  return reinterpret_cast<OrderedJson&>(object);
}
JsonObject& asObject(OrderedJson& json) {
  return reinterpret_cast<JsonObject&>(json);
}
const JsonValue* asValue(const Json& json) {
  return reinterpret_cast<const JsonValue*>(&json);
}

Error invalid(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

// Nothing if it is not an integer in this range.
std::optional<std::int64_t> wholeWithin(const Json& json, std::int64_t low, std::int64_t high) {
  if (!json.is_number_integer()) return std::nullopt;
  const bool huge =
      json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  const auto value = json.get<std::int64_t>();
  return huge || value < low || value > high ? std::nullopt : std::optional(value);
}

std::string oneLine(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// See JsonDraft::shortText().
std::string brokenText(const OrderedJson& value, std::size_t indent) {
  const bool ofObjects = value.is_array() && !value.empty() && value.front().is_object();
  if (!value.is_object() && !ofObjects) return oneLine(value);
  std::vector<std::string> parts;
  std::size_t width = indent;
  bool fits = indent > 0;
  for (const auto& [key, each] : value.items()) {
    const std::string name = ofObjects ? std::string() : oneLine(OrderedJson(key)) + ": ";
    parts.push_back(name + brokenText(each, indent + 2));
    width += parts.back().size() + 2;
    fits = fits && width <= kLineWidth && parts.back().find('\n') == std::string::npos;
  }
  const std::string open = ofObjects ? "[" : "{";
  const std::string close = ofObjects ? "]" : "}";
  if (fits) return fmt::format("{}{}{}", open, fmt::join(parts, ", "), close);
  const std::string line = "\n" + std::string(indent, ' ');
  return fmt::format("{}{}  {}{}{}", open, line, fmt::join(parts, "," + line + "  "), line, close);
}

}  // namespace

Result<JsonDocument> JsonDocument::parse(std::string_view text) {
  auto json = parseJson(text);
  if (!json) return tl::unexpected(json.error());
  const auto root = std::make_shared<const Json>(std::move(*json));
  return JsonDocument({root, asValue(*root)});
}

Result<UnreadEntries> JsonDocument::unread(const JsonAsked& asked, std::size_t most) const {
  UnreadEntries all;
  std::size_t count = 0;
  const auto collect = [&](const auto& self, const Json& object,
                           const Json::json_pointer& at) -> void {
    const auto keys = asked.find(asValue(object));
    if (keys == asked.end() || !object.is_object()) return;
    for (const auto& [key, value] : object.items()) {
      if (keys->second.contains(key)) {
        self(self, value, at / key);
      } else if (++count <= most) {
        all.emplace_back((at / key).to_string(), value.dump());
      }
    }
  };
  collect(collect, of(*root_), Json::json_pointer());
  if (count <= most) return all;
  return fail(ErrorCode::LimitExceeded,
              fmt::format("there are {} keys that this version does not know, more than the limit "
                          "of {}",
                          count, most));
}

JsonDraft::JsonDraft() {
  const auto json = std::make_shared<OrderedJson>(OrderedJson::object());
  object_ = {json, &asObject(*json)};
}

std::string JsonDraft::longText() const {
  return of(*object_).dump(1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string JsonDraft::shortText() const {
  return brokenText(of(*object_), 0);
}

void JsonDraft::add(const UnreadEntries& unread) {
  // An ordered object looks for a key in all of its entries, so the keys of one are gathered once.
  OrderedJson::object_t* entries = nullptr;
  std::string last;
  std::set<std::string, std::less<>> taken;
  for (const auto& [where, text] : unread) {
    const OrderedJson::json_pointer at(where);
    OrderedJson& root = of(*object_);
    const auto parent = at.parent_pointer();
    if (last.empty() || parent.to_string() != last.substr(1)) {
      last = '>' + parent.to_string();
      entries = root.contains(parent) ? root[parent].get_ptr<OrderedJson::object_t*>() : nullptr;
      taken.clear();
      if (entries == nullptr) continue;
      for (const auto& entry : *entries) taken.insert(entry.first);
    }
    if (entries == nullptr || !taken.insert(at.back()).second) continue;
    entries->push_back({at.back(), OrderedJson::parse(text)});
  }
}

JsonFields::JsonFields(const JsonValue& object, std::string where, std::optional<Error>& problem,
                       Missing missing)
    : object_(&object), where_(std::move(where)), problem_(problem), missing_(missing) {
  if (!of(object).is_object()) wrong("", "is not an object");
}

JsonFields::JsonFields(JsonDraft& draft) : JsonFields(*draft.object_, draft.problem_) {}

bool JsonFields::has(const char* key, bool written) const {
  return writes() ? written : lookUp(key) != nullptr;
}

JsonFields& JsonFields::unless(bool usual) {
  leavesOut_ = usual && writes();
  return *this;
}

template <class Value>
void JsonFields::put(const char* key, const Value& value) {
  if (!std::exchange(leavesOut_, false)) of(*target_)[key] = value;
}

void JsonFields::derived(const char* key, std::string_view value) {
  if (writes()) put(key, value);
}

void JsonFields::derived(const char* key, int value) {
  if (writes()) put(key, value);
}

const JsonValue* JsonFields::find(const char* key) {
  const JsonValue* value = lookUp(key);
  if (value == nullptr && missing_ == Missing::IsWrong) wrong(key, "is missing");
  return value;
}

const JsonValue* JsonFields::lookUp(const char* key) const {
  const Json& object = of(*object_);
  if (problem_ || !object.is_object()) return nullptr;
  if (asked_ != nullptr) (*asked_)[object_].insert(key);
  const auto found = object.find(key);
  return found == object.end() ? nullptr : asValue(*found);
}

std::vector<std::string> JsonFields::keys() const {
  std::vector<std::string> all;
  if (problem_ || !of(*object_).is_object()) return all;
  for (const auto& [key, value] : of(*object_).items()) all.push_back(key);
  return all;
}

void JsonFields::number(const char* key, double& value, double low, double high) {
  if (writes()) return put(key, value);
  const JsonValue* json = find(key);
  if (json == nullptr) return;
  if (!of(*json).is_number()) return wrong(key, "is not a number");
  const double read = of(*json).get<double>();
  if (!(read >= low && read <= high)) {
    return wrong(key, fmt::format("is {}, not between {} and {}", read, low, high));
  }
  value = read;
}

void JsonFields::number(const char* key, float& value, double low, double high) {
  double number = shortestDouble(value);
  JsonFields::number(key, number, low, high);
  value = static_cast<float>(number);
}

void JsonFields::wholeNumber(const char* key, std::int64_t& value, std::int64_t low,
                             std::int64_t high) {
  if (writes()) return put(key, value);
  const JsonValue* json = find(key);
  if (json == nullptr) return;
  if (!of(*json).is_number_integer()) return wrong(key, "is not a whole number");
  const auto read = wholeWithin(of(*json), low, high);
  if (!read) {
    return wrong(key, fmt::format("is {}, not between {} and {}", of(*json).dump(), low, high));
  }
  value = *read;
}

void JsonFields::seed(const char* key, std::uint64_t& value) {
  if (writes()) return put(key, value);
  const JsonValue* json = find(key);
  if (json == nullptr) return;
  if (!of(*json).is_number_unsigned()) return wrong(key, "is not a whole number of 0 or more");
  value = of(*json).get<std::uint64_t>();
}

void JsonFields::flag(const char* key, bool& value) {
  if (writes()) return put(key, value);
  const JsonValue* json = find(key);
  if (json == nullptr) return;
  if (!of(*json).is_boolean()) return wrong(key, "is neither true nor false");
  value = of(*json).get<bool>();
}

void JsonFields::text(const char* key, std::string& value) {
  if (writes()) return put(key, value);
  const JsonValue* json = find(key);
  if (json == nullptr) return;
  if (!of(*json).is_string() || of(*json).get_ref<const std::string&>().size() > kLongestText) {
    return wrong(key, "is not a text of ordinary length");
  }
  value = of(*json).get<std::string>();
}

const JsonValue* JsonFields::listUnder(const char* key, std::size_t most) {
  const JsonValue* json = find(key);
  if (json == nullptr) return nullptr;
  if (!of(*json).is_array()) {
    wrong(key, "is not a list");
  } else if (of(*json).size() > most) {
    wrong(key, fmt::format("has {} entries, and at most {} are read", of(*json).size(), most));
  } else {
    return json;
  }
  return nullptr;
}

void JsonFields::numbers(const char* key, std::vector<double>& values, std::size_t most, double low,
                         double high, std::string_view what) {
  if (writes()) return put(key, values);
  if (const JsonValue* any = find(key); any != nullptr && !of(*any).is_array()) {
    return wrong(key, what);
  }
  const JsonValue* entries = listUnder(key, most);
  if (entries == nullptr) return;
  values.clear();
  for (const Json& entry : of(*entries)) {
    values.push_back(entry.is_number() ? entry.get<double>() : std::nan(""));
    if (values.back() >= low && values.back() <= high) continue;
    values.clear();
    return wrong(key, what);
  }
}

void JsonFields::wholes(const char* key, std::vector<std::uint16_t>& values, std::size_t most,
                        std::uint16_t high, std::string_view what) {
  if (writes()) return put(key, values);
  std::vector<double> read;
  numbers(key, read, most, 0.0, static_cast<double>(high), what);
  values.assign(read.begin(), read.end());
}

void JsonFields::wholes(const char* key, std::vector<int>& values, std::size_t most, int low,
                        int high, std::string_view what) {
  if (writes()) return put(key, values);
  if (const JsonValue* any = find(key); any != nullptr && !of(*any).is_array()) {
    return wrong(key, what);
  }
  const JsonValue* entries = listUnder(key, most);
  if (entries == nullptr) return;
  values.clear();
  for (const Json& entry : of(*entries)) {
    const auto value = entry.is_number_integer() ? wholeWithin(entry, low, high) : std::nullopt;
    if (!value) {
      values.clear();
      return wrong(key, what);
    }
    values.push_back(static_cast<int>(*value));
  }
}

void JsonFields::texts(const char* key, std::vector<std::string>& values, std::size_t most,
                       std::string_view what) {
  if (writes()) return put(key, values);
  if (const JsonValue* any = find(key); any != nullptr && !of(*any).is_array()) {
    return wrong(key, what);
  }
  const JsonValue* entries = listUnder(key, most);
  if (entries == nullptr) return;
  values.clear();
  for (const Json& entry : of(*entries)) {
    if (!entry.is_string()) return wrong(key, what);
    values.push_back(entry.get<std::string>());
  }
}

void JsonFields::exactly(const char* key, std::vector<double>& values) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const std::size_t count = values.size();
  const std::string what = fmt::format("is not a list of {} numbers", count);
  numbers(key, values, count, -kMost, kMost, what);
  if (values.size() != count) wrong(key, what);
  values.resize(count);
}

JsonFields JsonFields::object(const char* key) {
  static const Json kEmpty = Json::object();
  if (writes()) {
    put(key, OrderedJson::object());
    return {asObject(of(*target_)[key]), problem_};
  }
  const JsonValue* json = find(key);
  JsonFields below(json == nullptr ? *asValue(kEmpty) : *json, fmt::format("{}{}.", where_, key),
                   problem_, missing_);
  if (json != nullptr) below.asked_ = asked_;
  return below;
}

std::vector<JsonFields> JsonFields::objects(const char* key, std::size_t most) {
  std::vector<JsonFields> all;
  const JsonValue* entries = listUnder(key, most);
  if (entries == nullptr) return all;
  for (const Json& entry : of(*entries)) {
    const std::string number =
        missing_ == Missing::IsWrong ? fmt::format("[{}]", all.size()) : std::string();
    all.emplace_back(*asValue(entry), fmt::format("{}{}{}.", where_, key, number), problem_,
                     missing_);
  }
  return all;
}

bool JsonFields::beginList(const char* key) {
  const bool written = !leavesOut_;
  put(key, OrderedJson::array());
  return written;
}

JsonFields JsonFields::newEntry(const char* key) {
  OrderedJson& list = of(*target_)[key];
  list.push_back(OrderedJson::object());
  return {asObject(list.back()), problem_};
}

void JsonFields::wrong(std::string_view key, std::string_view what) {
  if (!problem_) problem_ = invalid(fmt::format("{}{} {}", where_, key, what));
}

void JsonFields::refuse(const Error& error) {
  if (!problem_) problem_ = error;
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
    const std::string each = perThing > 1 ? fmt::format(", not {} for each", perThing) : "";
    fields.wrong(key,
                 fmt::format("has {} entries for {} {}{}", of(*json_).size(), count, what, each));
    json_ = nullptr;
  }
}

const JsonValue* JsonColumn::at(std::size_t index) const {
  if (json_ == nullptr || !of(*json_).is_array()) return json_;
  return asValue(of(*json_)[index]);
}

bool JsonColumn::isShared() const {
  return json_ == nullptr || !of(*json_).is_array();
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

std::optional<std::string> JsonColumn::text(std::size_t index) {
  const JsonValue* json = at(index);
  if (json == nullptr) return std::nullopt;
  if (of(*json).is_string()) return of(*json).get<std::string>();
  wrong(index, "is not a text");
  return std::nullopt;
}

}  // namespace ck
