#include "core/import/worker/fbx/fbx_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace ck::worker {
namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
// What ends a bare word.
bool isMark(char c) {
  return isBlank(c) || c == ',' || c == ':' || c == '{' || c == '}' || c == ';' || c == '"';
}

// Texts hold quotation marks as &quot;.
std::string unquoted(std::string_view text) {
  constexpr std::string_view kQuote = "&quot;";
  std::string result;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(kQuote), text.size());
    result += text.substr(0, at);
    if (at < text.size()) result += '"';
    text.remove_prefix(std::min(at + kQuote.size(), text.size()));
  }
  return result;
}

class TextReader {
 public:
  TextReader(std::string_view text, std::size_t deepest, std::deque<std::string>& texts)
      : text_(text), deepest_(deepest), texts_(texts) {
    if (text_.starts_with("\xEF\xBB\xBF")) place_ = 3;
  }

  Result<FbxNode> read() {
    FbxNode root;
    std::vector<FbxNode*> open = {&root};
    while (skip(), place_ < text_.size()) {
      if (text_[place_] == '}') {
        ++place_;
        if (open.size() == 1) return refuse("'}' closes nothing");
        open.back()->children.shrink_to_fit();
        open.pop_back();
        continue;
      }
      const std::string_view name = word();
      skip();
      if (name.empty() || !accept(':')) return refuse("a name with ':' is expected");
      FbxNode& node = open.back()->children.emplace_back();
      node.name = name;
      if (auto ok = readValues(node); !ok) return tl::unexpected(ok.error());
      if (!accept('{')) continue;
      if (open.size() > deepest_) {
        return fail(
            ErrorCode::LimitExceeded,
            fmt::format("line {}: its nodes are nested more than {} deep", line(), deepest_));
      }
      open.push_back(&node);
    }
    if (open.size() > 1) {
      return refuse("the file ends within a node; it is cut short, so copy or export it again");
    }
    return root;
  }

 private:
  Result<void> readValues(FbxNode& node) {
    bool wanted = false;
    while (skip(), place_ < text_.size()) {
      const char c = text_[place_];
      if (c == '{' || c == '}') break;
      if (c == '*') {
        auto array = readArray();
        if (!array) return tl::unexpected(array.error());
        node.values.emplace_back(
            std::make_unique<const FbxStoredArray>(FbxStoredArray{.array = std::move(*array)}));
      } else if (c == '"') {
        const std::size_t end = text_.find('"', place_ + 1);
        if (end == std::string_view::npos) return refuse("a text has no end");
        std::string_view text = text_.substr(place_ + 1, end - place_ - 1);
        if (text.find('&') != std::string_view::npos) text = texts_.emplace_back(unquoted(text));
        node.values.emplace_back(text);
        place_ = end + 1;
      } else if (c == ',') {
        if (!node.values.empty() && wanted) return refuse("a value is missing");
      } else {
        const std::size_t before = place_;
        const std::string_view bare = word();
        if (bare.empty()) return refuse(fmt::format("'{}' is not expected", c));
        // A word behind the values is the next node's name, unless a comma asks for one more.
        if (!wanted && (!node.values.empty() || isName())) {
          place_ = before;
          break;
        }
        node.values.push_back(valueOf(bare));
      }
      skip();
      wanted = accept(',');
      if (!wanted && !(place_ < text_.size() && text_[place_] == '{')) break;
    }
    return {};
  }

  // Whether ':' follows, so that the word before is a name.
  bool isName() {
    const std::size_t before = place_;
    skip();
    const bool is = place_ < text_.size() && text_[place_] == ':';
    place_ = before;
    return is;
  }

  static FbxValue valueOf(std::string_view word) {
    std::int64_t whole = 0;
    const char* end = word.data() + word.size();
    if (const auto read = std::from_chars(word.data(), end, whole);
        read.ec == std::errc() && read.ptr == end) {
      return whole;
    }
    if (const auto number = numberOf(word)) return *number;
    return word;
  }

  // Nothing if it is not a number. Numbers beyond a double are infinite, and those that Microsoft's
  // library writes for them are NaN; readers of a value decide what to do with either.
  static std::optional<double> numberOf(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0.0;
    const char* end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, value);
    if (read.ec == std::errc() && read.ptr == end) return value;
    if (read.ec == std::errc::result_out_of_range && read.ptr == end) {
      return std::numeric_limits<double>::infinity();
    }
    if (word.find('#') != std::string_view::npos) {  // 1.#INF, 1.#QNAN
      return std::numeric_limits<double>::quiet_NaN();
    }
    return std::nullopt;
  }

  // "*3 { a: 1,2,3 }"
  Result<FbxArray> readArray() {
    ++place_;
    const std::string_view count = word();
    skip();
    if (count.empty() || !accept('{')) return refuse("an array is expected behind '*'");
    skip();
    if (accept('}')) return FbxArray();
    if (word() != "a" || (skip(), !accept(':'))) return refuse("'a:' is expected in an array");
    std::vector<double> numbers;
    std::vector<std::int64_t> wholes;
    wholes.reserve(promised(count));
    while (skip(), place_ < text_.size() && text_[place_] != '}') {
      const std::string_view entry = word();
      const FbxValue value = entry.empty() ? FbxValue() : valueOf(entry);
      if (entry.empty() || std::holds_alternative<std::string_view>(value)) {
        return refuse("a number is expected in an array");
      }
      if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        wholes.push_back(*whole);
      } else {
        numbers.reserve(promised(count) + wholes.size());
        numbers.assign(wholes.begin(), wholes.end());
        wholes = {};
        numbers.push_back(std::get<double>(value));
        if (auto ok = readNumbers(numbers); !ok) return tl::unexpected(ok.error());
        break;
      }
      skip();
      accept(',');
    }
    skip();
    if (!accept('}')) return refuse("an array has no end");
    if (!numbers.empty()) return arrayOf('d', numbers);
    const bool small = std::all_of(wholes.begin(), wholes.end(), [](std::int64_t whole) {
      return whole == static_cast<std::int32_t>(whole);
    });
    if (small) return arrayOf('i', std::vector<std::int32_t>(wholes.begin(), wholes.end()));
    return arrayOf('l', wholes);
  }

  // The count of an array, as far as the rest of the text can hold it.
  std::size_t promised(std::string_view count) const {
    std::size_t numbers = 0;
    std::from_chars(count.data(), count.data() + count.size(), numbers);
    return std::min(numbers, (text_.size() - place_) / 2);
  }

  template <class Number>
  static FbxArray arrayOf(char type, const std::vector<Number>& numbers) {
    const std::size_t size = numbers.size() * sizeof(Number);
    FbxArray array{.type = type, .bytes = {}, .unpacked = std::make_unique<std::byte[]>(size)};
    if (size > 0) std::memcpy(array.unpacked.get(), numbers.data(), size);
    array.bytes = {array.unpacked.get(), size};
    return array;
  }

  // The rest of an array in which at least one number has a fraction.
  Result<void> readNumbers(std::vector<double>& numbers) {
    while (skip(), accept(','), skip(), place_ < text_.size() && text_[place_] != '}') {
      const auto number = numberOf(word());
      if (!number) return refuse("a number is expected in an array");
      numbers.push_back(*number);
    }
    return {};
  }

  // The next word; empty at a mark.
  std::string_view word() {
    const std::size_t first = place_;
    while (place_ < text_.size() && !isMark(text_[place_])) ++place_;
    return text_.substr(first, place_ - first);
  }

  bool accept(char c) {
    if (place_ >= text_.size() || text_[place_] != c) return false;
    ++place_;
    return true;
  }

  void skip() {
    while (place_ < text_.size()) {
      if (isBlank(text_[place_])) {
        ++place_;
      } else if (text_[place_] == ';') {
        place_ = std::min(text_.find('\n', place_), text_.size());
      } else {
        return;
      }
    }
  }

  std::ptrdiff_t line() const {
    const std::string_view before = text_.substr(0, place_);
    return 1 + std::count(before.begin(), before.end(), '\n');
  }
  tl::unexpected<Error> refuse(std::string_view why) const {
    return fail(ErrorCode::InvalidInput, fmt::format("line {}: {}", line(), why));
  }

  std::string_view text_;
  std::size_t place_ = 0;
  std::size_t deepest_;
  std::deque<std::string>& texts_;
};

}  // namespace

Result<FbxNode> readFbxText(std::string_view text, std::size_t deepest,
                            std::deque<std::string>& texts) {
  return TextReader(text, deepest, texts).read();
}

}  // namespace ck::worker
