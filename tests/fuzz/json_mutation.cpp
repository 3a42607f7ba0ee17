#include "tests/fuzz/json_mutation.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace ck::fuzz {
namespace {
using Json = nlohmann::ordered_json;

constexpr int kDeepest = 64;

// Every value of a document, and every key.
struct Places {
  std::vector<Json*> values;
  std::vector<std::string> keys;

  explicit Places(Json& root) { add(root); }

 private:
  void add(Json& value) {
    values.push_back(&value);
    if (value.is_object()) {
      for (auto& [key, inner] : value.items()) {
        keys.push_back(key);
        add(inner);
      }
    } else if (value.is_array()) {
      for (Json& inner : value) add(inner);
    }
  }
};

class Mutation {
 public:
  Mutation(Json& root, std::mt19937& random) : root_(root), random_(random) {}

  void step() {
    const Places places(root_);
    Json& value = *places.values[below(places.values.size())];
    if (below(8) == 0) {
      value = otherValue(places);
    } else if (value.is_object()) {
      changeObject(value, places);
    } else if (value.is_array()) {
      changeArray(value, places);
    } else if (value.is_string()) {
      changeText(value, places);
    } else if (value.is_boolean()) {
      value = !value.get<bool>();
    } else {
      value = number(value);
    }
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  // A copy, because what is assigned to may lie within it.
  Json otherValue(const Places& places) {
    switch (below(8)) {
      case 0:
        return nullptr;
      case 1:
        return Json::array();
      case 2:
        return Json::object();
      case 3:
        return number(0);
      case 4:
        return "";
      default: {
        const Json& other = *places.values[below(places.values.size())];
        return other.size() > 64 ? Json(0) : other;
      }
    }
  }

  Json number(const Json& now) {
    static constexpr std::array<double, 12> kReal = {
        0.5, -0.5, 1e-30, 1e30, -1e30, 1e308, -1e308, 1e-320, 1e16, 16777217.0, 0.1, 3.5e38};
    static constexpr std::array<std::int64_t, 18> kWhole = {
        0,          1,          -1,         2,           3,         4,
        7,          255,        256,        65535,       65536,     2147483647,
        2147483648, 4294967295, 4294967296, -2147483648, INT64_MAX, INT64_MIN};
    const double before = now.is_number() ? now.get<double>() : 0.0;
    switch (below(6)) {
      case 0:
        return kReal[below(kReal.size())];
      case 1:
        return kWhole[below(kWhole.size())];
      case 2:
        return static_cast<int>(below(16));
      case 3:
        return -before;
      case 4:
        return before * 2.0;
      default:
        if (now.is_number_integer() && before > -1e9 && before < 1e9) {
          return now.get<std::int64_t>() + static_cast<int>(below(5)) - 2;
        }
        return before + static_cast<double>(below(5)) - 2.0;
    }
  }

  void changeText(Json& value, const Places& places) {
    std::string text = value.get<std::string>();
    switch (below(4)) {
      case 0:
        if (!places.keys.empty()) text = places.keys[below(places.keys.size())];
        break;
      case 1: {
        const Json& other = *places.values[below(places.values.size())];
        if (other.is_string()) text = other.get<std::string>();
        break;
      }
      case 2:
        text.resize(below(text.size() + 1));
        break;
      default:
        if (text.empty()) text = "A";
        text[below(text.size())] = static_cast<char>(' ' + below(95));
        break;
    }
    value = text;
  }

  void changeArray(Json& list, const Places& places) {
    const std::size_t size = list.size();
    if (size == 0 || below(4) == 0) {
      if (size < 10'000) list.push_back(size > 0 ? Json(list[below(size)]) : otherValue(places));
      return;
    }
    const std::size_t at = below(size);
    switch (below(3)) {
      case 0:
        list.erase(at);
        break;
      case 1:
        std::swap(list[at], list[below(size)]);
        break;
      default:
        list[at] = otherValue(places);
        break;
    }
  }

  void changeObject(Json& object, const Places& places) {
    if (object.empty() || below(4) == 0) {
      if (!places.keys.empty()) {
        Json value = otherValue(places);
        object[places.keys[below(places.keys.size())]] = std::move(value);
      }
      return;
    }
    auto at = object.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(below(object.size())));
    if (below(3) == 0) {
      object.erase(at);
    } else {
      at.value() = otherValue(places);
    }
  }

  Json& root_;
  std::mt19937& random_;
};

}  // namespace

std::string mutatedJson(std::string_view text, std::mt19937& random) {
  bool isTooDeep = false;
  const auto callback = [&isTooDeep](int depth, Json::parse_event_t, Json&) {
    isTooDeep = isTooDeep || depth > kDeepest;
    return !isTooDeep;
  };
  Json root = Json::parse(text, callback, false);
  if (isTooDeep || root.is_discarded()) return std::string(text);
  Mutation mutation(root, random);
  for (auto steps = 1 + random() % 4; steps > 0; --steps) mutation.step();
  const int indent = random() % 8 == 0 ? 1 : -1;
  return root.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ck::fuzz
