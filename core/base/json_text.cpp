#include "core/base/json_text.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ck {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDeepest = 64;

// Thrown by the parser's callbacks to end parsing; caught in this file.
struct Refusal {
  Error error;
};

Error invalid(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

// Builds a document while it is parsed and refuses what the parser accepts: deep nesting and
// duplicate keys. The parser's own callbacks would take a time that is the square of a list's
// length, and looking at the text before parsing it would read every number twice.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(Json& root) : root_(root) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON text has none
  bool start_object(std::size_t) override {
    return open({.object = put(Json::object()).get_ptr<Json::object_t*>()});
  }
  bool start_array(std::size_t) override {
    return open({.list = put(Json::array()).get_ptr<Json::array_t*>()});
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    const auto [entry, isNew] = open_.back().object->try_emplace(name);
    if (!isNew) throw Refusal{invalid(fmt::format("the key '{}' is there twice", name))};
    entry_ = &entry->second;
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    if (const auto* wrong = dynamic_cast<const Json::parse_error*>(&problem)) throw *wrong;
    throw Refusal{unreadable(problem)};
  }

  static Error unreadable(const Json::exception& problem) {
    return invalid(fmt::format("a value cannot be read: {}", problem.what()));
  }

 private:
  // A list or an object whose end was not read yet.
  struct Open {
    Json::array_t* list = nullptr;
    Json::object_t* object = nullptr;
  };

  // Stores the value that comes next: an entry of the innermost list or object, or the root.
  template <class Value>
  Json& put(Value&& value) {
    if (open_.empty()) return root_ = std::forward<Value>(value);
    if (open_.back().list == nullptr) return *entry_ = std::forward<Value>(value);
    return open_.back().list->emplace_back(std::forward<Value>(value));
  }
  template <class Value>
  bool add(Value&& value) {
    put(std::forward<Value>(value));
    return true;
  }
  bool open(const Open& one) {
    open_.push_back(one);
    if (open_.size() <= kDeepest) return true;
    throw Refusal{
        {ErrorCode::LimitExceeded, fmt::format("values are nested more than {} deep", kDeepest)}};
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json& root_;
  Json* entry_ = nullptr;   // of the last key
  std::vector<Open> open_;  // the innermost one last
};

}  // namespace

Result<Json> parseJsonStrictly(std::string_view text) {
  try {
    Json root;
    Builder builder(root);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return root;
  } catch (const Refusal& refusal) {
    return tl::unexpected(refusal.error);
  } catch (const Json::parse_error& problem) {
    const std::string_view before = text.substr(0, problem.byte - 1);  // bytes count from 1
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    return tl::unexpected(invalid(fmt::format(
        "line {}, column {}: {}", line, column,
        problem.byte > text.size() ? "the file ends too early" : "this is not valid JSON")));
  } catch (const Json::exception& problem) {
    return tl::unexpected(Builder::unreadable(problem));
  }
}

namespace {

namespace quick = simdjson::ondemand;

bool fill(Json& to, quick::value value, std::size_t depth);

bool fillNumber(Json& to, quick::value value) {
  quick::number number;
  if (value.get_number().get(number) != simdjson::SUCCESS) return false;
  switch (number.get_number_type()) {
    case quick::number_type::floating_point_number:
      to = number.get_double();
      return true;
    case quick::number_type::unsigned_integer:
      to = number.get_uint64();
      return true;
    case quick::number_type::signed_integer:
      break;
  }
  const std::int64_t whole = number.get_int64();
  // The strict parser keeps what has no sign as unsigned.
  whole < 0 ? to = whole : to = static_cast<std::uint64_t>(whole);
  return true;
}

bool fillList(Json& to, quick::value value, std::size_t depth) {
  quick::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return false;
  to = Json::array();
  auto& list = *to.get_ptr<Json::array_t*>();
  for (auto entry : array) {
    quick::value one;
    if (entry.get(one) != simdjson::SUCCESS || !fill(list.emplace_back(), one, depth)) return false;
  }
  return true;
}

bool fillObject(Json& to, quick::value value, std::size_t depth) {
  quick::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return false;
  to = Json::object();
  auto& entries = *to.get_ptr<Json::object_t*>();
  for (auto field : object) {
    std::string_view key;
    quick::value one;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS) return false;
    const auto [entry, isNew] = entries.try_emplace(std::string(key));
    if (!isNew || field.value().get(one) != simdjson::SUCCESS) return false;
    if (!fill(entry->second, one, depth)) return false;
  }
  return true;
}

// `depth`: of lists and objects around the value.
bool fill(Json& to, quick::value value, std::size_t depth) {
  quick::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  switch (type) {
    case quick::json_type::array:
      return depth < kDeepest && fillList(to, value, depth + 1);
    case quick::json_type::object:
      return depth < kDeepest && fillObject(to, value, depth + 1);
    case quick::json_type::number:
      return fillNumber(to, value);
    case quick::json_type::string: {
      std::string_view text;
      if (value.get_string().get(text) != simdjson::SUCCESS) return false;
      to = text;
      return true;
    }
    case quick::json_type::boolean: {
      bool flag = false;
      if (value.get_bool().get(flag) != simdjson::SUCCESS) return false;
      to = flag;
      return true;
    }
    case quick::json_type::null: {
      bool isNull = false;
      return value.is_null().get(isNull) == simdjson::SUCCESS && isNull;
    }
  }
  return false;
}

}  // namespace

std::optional<Json> parseJsonQuickly(std::string_view text) {
  const simdjson::padded_string padded(text);
  quick::parser parser;
  quick::document document;
  quick::value value;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return std::nullopt;
  if (document.get_value().get(value) != simdjson::SUCCESS) return std::nullopt;
  Json root;
  if (!fill(root, value, 0)) return std::nullopt;
  const bool isAtEnd = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  return isAtEnd ? std::optional(std::move(root)) : std::nullopt;
}

Result<Json> parseJson(std::string_view text) {
  // The strict parser takes some 25 ms for this.
  constexpr std::size_t kLong = std::size_t{1} << 20;
  if (text.size() >= kLong) {
    if (auto quickly = parseJsonQuickly(text)) return std::move(*quickly);
  }
  return parseJsonStrictly(text);
}

}  // namespace ck
