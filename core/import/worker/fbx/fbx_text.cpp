#include "core/import/worker/fbx/fbx_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/byte_stream.h"

namespace ck::worker {
namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
// Whether a character ends a bare word.
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

// A bare word: a whole number, another number, or a text.
using Word = std::variant<std::int64_t, double, std::string_view>;

class TextReader {
 public:
  TextReader(std::string_view text, FbxTree& tree) : text_(text), tree_(tree), maker_(tree) {
    if (text_.starts_with("\xEF\xBB\xBF")) place_ = 3;
    // Numbers take about half as much in the binary form. Unused reserve takes no memory.
    out_.reserve(text_.size() / 2 + 64);
    out_.number(std::uint64_t{0});  // 0 is the place of the root
  }

  Result<void> read() {
    while (skip(), place_ < text_.size()) {
      if (text_[place_] == '}') {
        ++place_;
        if (maker_.depth() == 1) return refuse("'}' closes nothing");
        maker_.close();
        continue;
      }
      const std::string_view name = word();
      skip();
      if (name.empty() || !accept(':')) return refuse("a name with ':' is expected");
      if (auto ok = readNode(name); !ok) return ok;
      if (!accept('{')) {
        maker_.close();
        continue;
      }
      if (maker_.depth() - 1 > kFbxDeepest) {
        return fail(
            ErrorCode::LimitExceeded,
            fmt::format("line {}: its nodes are nested more than {} deep", line(), kFbxDeepest));
      }
    }
    if (maker_.depth() > 1) {
      return refuse("the file ends within a node; it is cut short, so copy or export it again");
    }
    maker_.close();
    tree_.bytes->own = out_.take();
    tree_.bytes->all = tree_.bytes->own;
    return {};
  }

 private:
  // Opens a node and writes its name and values as they are in the binary form.
  Result<void> readNode(std::string_view name) {
    if (name.size() > std::numeric_limits<std::uint8_t>::max()) {
      return refuse("a name has more than 255 letters");
    }
    const std::size_t counts = out_.size();
    if (counts > std::numeric_limits<std::uint32_t>::max() - 8) {
      return fail(ErrorCode::LimitExceeded, "its values take more than 4 GB");
    }
    out_.zeros(8);
    maker_.open(static_cast<std::uint32_t>(out_.size()));
    out_.number(static_cast<std::uint8_t>(name.size()));
    out_.raw(std::as_bytes(std::span(name)));
    const std::size_t first = out_.size();
    valueCount_ = 0;
    if (auto ok = readValues(); !ok) return ok;
    ByteWriter found;
    found.number(valueCount_);
    found.number(static_cast<std::uint32_t>(out_.size() - first));
    out_.overwrite(counts, found);
    return {};
  }

  void write(char type, auto number) {
    out_.number(type);
    out_.number(number);
    ++valueCount_;
  }
  void writeText(std::string_view text) {
    out_.number('S');
    out_.text(text);
    ++valueCount_;
  }
  void write(const Word& word) {
    if (const auto* whole = std::get_if<std::int64_t>(&word)) return write('L', *whole);
    if (const auto* number = std::get_if<double>(&word)) return write('D', *number);
    writeText(std::get<std::string_view>(word));
  }

  Result<void> readValues() {
    bool wanted = false;
    while (skip(), place_ < text_.size()) {
      const char c = text_[place_];
      if (c == '{' || c == '}') break;
      if (c == '*') {
        if (auto ok = readArray(); !ok) return ok;
      } else if (c == '"') {
        const std::size_t end = text_.find('"', place_ + 1);
        if (end == std::string_view::npos) return refuse("a text has no end");
        const std::string_view text = text_.substr(place_ + 1, end - place_ - 1);
        if (text.find('&') == std::string_view::npos) {
          writeText(text);
        } else {
          writeText(unquoted(text));
        }
        place_ = end + 1;
      } else if (c == ',') {
        if (valueCount_ > 0 && wanted) return refuse("a value is missing");
      } else {
        const std::size_t before = place_;
        const std::string_view bare = word();
        if (bare.empty()) return refuse(fmt::format("'{}' is not expected", c));
        // A word behind the values is the next node's name, unless a comma asks for one more.
        if (!wanted && (valueCount_ > 0 || isName())) {
          place_ = before;
          break;
        }
        write(valueOf(bare));
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

  static Word valueOf(std::string_view word) {
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
  Result<void> readArray() {
    ++place_;
    const std::string_view count = word();
    skip();
    if (count.empty() || !accept('{')) return refuse("an array is expected behind '*'");
    skip();
    if (accept('}')) return writeArray('d', std::vector<double>()), Result<void>();
    if (word() != "a" || (skip(), !accept(':'))) return refuse("'a:' is expected in an array");
    std::vector<double> numbers;
    std::vector<std::int64_t> wholes;
    wholes.reserve(promised(count));
    while (skip(), place_ < text_.size() && text_[place_] != '}') {
      const std::string_view entry = word();
      const Word value = entry.empty() ? Word() : valueOf(entry);
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
        if (auto ok = readNumbers(numbers); !ok) return ok;
        break;
      }
      skip();
      accept(',');
    }
    skip();
    if (!accept('}')) return refuse("an array has no end");
    if (!numbers.empty()) return writeArray('d', numbers), Result<void>();
    const bool small = std::all_of(wholes.begin(), wholes.end(), [](std::int64_t whole) {
      return whole == static_cast<std::int32_t>(whole);
    });
    if (small) {
      writeArray('i', std::vector<std::int32_t>(wholes.begin(), wholes.end()));
    } else {
      writeArray('l', wholes);
    }
    return {};
  }

  // The count of an array, as far as the rest of the text can hold it.
  std::size_t promised(std::string_view count) const {
    std::size_t numbers = 0;
    std::from_chars(count.data(), count.data() + count.size(), numbers);
    return std::min(numbers, (text_.size() - place_) / 2);
  }

  template <class Number>
  void writeArray(char type, const std::vector<Number>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    out_.number(type);
    out_.number(static_cast<std::uint32_t>(numbers.size()));
    out_.number(std::uint32_t{0});  // not packed
    out_.number(static_cast<std::uint32_t>(bytes.size()));
    out_.raw(bytes);
    ++valueCount_;
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
  FbxTree& tree_;
  FbxTreeMaker maker_;
  ByteWriter out_;
  std::uint32_t valueCount_ = 0;  // of the node that was opened last
};

}  // namespace

Result<void> readFbxText(std::string_view text, FbxTree& tree) {
  return TextReader(text, tree).read();
}

}  // namespace ck::worker
