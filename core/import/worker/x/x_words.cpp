#include "core/import/worker/x/x_words.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/import/worker/confinement/source_folder.h"
#include "core/import/worker/formats/rig_reader.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kHeadBytes = 16;
constexpr std::size_t kBlockBytes = 32'768;
constexpr double kLargest = 1e15;

bool isBlank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0' || c == ';' || c == ',';
}

std::size_t shortAt(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]) |
         static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + 1])) << 8;
}

tl::unexpected<Error> damaged() {
  return fail(ErrorCode::InvalidInput,
              "its packed part is cut short or damaged, so export it again, or as text");
}

// Unpacks the blocks of "tzip" and "bzip" files, which begin behind the four bytes that say how
// long the result is.
Result<std::string> unpackBlocks(std::string_view packed) {
  std::string result;
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return damaged();
  bool good = true;
  std::size_t at = std::min<std::size_t>(4, packed.size());
  while (good && at + 6 <= packed.size() && result.size() <= kFileLimitBytes) {
    const std::size_t length = shortAt(packed, at);
    const std::size_t packedLength = shortAt(packed, at + 2);  // with "CK"
    good = length <= kBlockBytes && packedLength >= 2 && packed.substr(at + 4, 2) == "CK" &&
           at + 4 + packedLength <= packed.size();
    if (!good) break;
    const std::size_t known = std::min(result.size(), kBlockBytes);
    const std::size_t first = result.size();
    inflateReset(&stream);
    if (known > 0) {
      inflateSetDictionary(&stream, reinterpret_cast<const Bytef*>(result.data() + first - known),
                           static_cast<uInt>(known));
    }
    result.resize(first + length);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + at + 6));
    stream.avail_in = static_cast<uInt>(packedLength - 2);
    stream.next_out = reinterpret_cast<Bytef*>(result.data() + first);
    stream.avail_out = static_cast<uInt>(length);
    const int end = inflate(&stream, Z_SYNC_FLUSH);
    good = (end == Z_OK || end == Z_STREAM_END || end == Z_BUF_ERROR) && stream.avail_out == 0;
    at += 4 + packedLength;
  }
  inflateEnd(&stream);
  if (result.size() > kFileLimitBytes) {
    return fail(ErrorCode::LimitExceeded, "it unpacks to more than 2 GB");
  }
  if (!good || result.empty()) return damaged();
  return result;
}

// The text as UTF-8 if the file is UTF-16 and begins with "x", with or without a byte order mark.
// Of a pair of surrogates without its other half, nothing valid is left.
std::optional<std::string> textOfUtf16(std::string_view file) {
  const auto begins = [file](std::string_view mark, std::string_view letter) {
    return file.starts_with(mark) || file.starts_with(letter);
  };
  const bool bigEndian = begins("\xFE\xFF", std::string_view("\0x", 2));
  if (!bigEndian && !begins("\xFF\xFE", std::string_view("x\0", 2))) return std::nullopt;
  std::string text;
  text.reserve(file.size() / 2);
  std::uint32_t high = 0;  // the first half of a pair of surrogates
  for (std::size_t at = 0; at + 2 <= file.size(); at += 2) {
    std::uint32_t unit = static_cast<std::uint32_t>(shortAt(file, at));
    if (bigEndian) unit = (unit & 0xff) << 8 | unit >> 8;
    const bool isLow = (unit & 0xfc00) == 0xdc00;
    if (high != 0 && isLow) unit = 0x10000 + ((high & 0x3ff) << 10) + (unit & 0x3ff);
    high = (unit & 0xfffffc00) == 0xd800 ? unit : 0;
    if (high != 0 || (at == 0 && unit == 0xfeff)) continue;
    const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (unit < 0x80) {
      put(unit);
      continue;
    }
    const int more = unit < 0x800 ? 1 : unit < 0x10000 ? 2 : 3;
    put((0xff00u >> (more + 1) & 0xff) | unit >> 6 * more);
    for (int i = more - 1; i >= 0; --i) put(0x80 | (unit >> 6 * i & 0x3f));
  }
  return text;
}

}  // namespace

Result<XBody> readXHead(std::string_view file) {
  if (const auto text = textOfUtf16(file)) {
    auto body = readXHead(*text);
    if (body && body->unpacked.empty()) body->unpacked = text->substr(kHeadBytes);
    if (body) body->bytes = {};
    return body;
  }
  file = startOf(file);
  if (!file.starts_with("xof ") || file.size() < kHeadBytes) {
    return fail(ErrorCode::InvalidInput, "an X file begins with 'xof 0303txt 0032'");
  }
  const std::string_view form = file.substr(8, 4);
  const std::string_view bits = file.substr(12, 4);
  XBody body;
  body.isBinary = form == "bin " || form == "bzip";
  const bool packed = form == "tzip" || form == "bzip";
  if (!body.isBinary && !packed && form != "txt ") {
    return fail(ErrorCode::Unsupported,
                fmt::format("this is a form of X, '{}', that is not read; export it as text",
                            cleanText(form)));
  }
  if (bits != "0032" && bits != "0064") {
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("its numbers have '{}' bits, where X files say 0032 or 0064", cleanText(bits)));
  }
  body.floatBytes = bits == "0064" ? 8 : 4;
  body.bytes = file.substr(kHeadBytes);
  if (packed) {
    auto unpacked = unpackBlocks(body.bytes);
    if (!unpacked) return tl::unexpected(unpacked.error());
    body.unpacked = std::move(*unpacked);
    body.bytes = {};
  }
  return body;
}

XWords::XWords(const XBody& body)
    : text_(body.unpacked.empty() ? body.bytes : std::string_view(body.unpacked)),
      binary_(body.isBinary),
      floatBytes_(body.floatBytes) {
  advance();
}

void XWords::advance() {
  takenLine_ = wordLine_;
  takenPlace_ = wordPlace_;
  wordPlace_ = place_;
  word_ = {};
  kind_ = Kind::End;
  if (binary_) {
    advanceBinary();
  } else {
    advanceText();
  }
}

void XWords::skipBlanks() {
  while (place_ < text_.size()) {
    const std::string_view rest = text_.substr(place_);
    if (isBlank(rest[0])) {
      // A CRLF is counted at its LF.
      if (rest[0] == '\n' || (rest[0] == '\r' && !rest.substr(1).starts_with('\n'))) ++line_;
      ++place_;
    } else if (rest[0] == '#' || rest.starts_with("//")) {
      place_ = std::min(text_.find_first_of("\r\n", place_), text_.size());
    } else {
      return;
    }
  }
}

void XWords::advanceText() {
  skipBlanks();
  wordLine_ = line_;
  wordPlace_ = place_;
  if (place_ >= text_.size()) return;
  const char first = text_[place_];
  if (first == '{' || first == '}') {
    kind_ = first == '{' ? Kind::Open : Kind::Close;
    ++place_;
  } else if (first == '"') {
    const std::size_t end = std::min(text_.find_first_of("\"\r\n", place_ + 1), text_.size());
    kind_ = Kind::Text;
    word_ = text_.substr(place_ + 1, end - place_ - 1);
    place_ = end < text_.size() && text_[end] == '"' ? end + 1 : end;
  } else {
    std::size_t end = place_ + 1;
    while (end < text_.size() && !isBlank(text_[end]) && text_[end] != '{' && text_[end] != '}' &&
           text_[end] != '"') {
      ++end;
    }
    kind_ = Kind::Word;
    word_ = text_.substr(place_, end - place_);
    place_ = end;
  }
}

std::uint32_t XWords::take(std::size_t bytes) {
  if (text_.size() - place_ < bytes) {
    place_ = text_.size();
    return 0;
  }
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(text_[place_ + i])) << 8 * i;
  }
  place_ += bytes;
  return value;
}

// The tokens of binary files. Types of members, which only templates have, all become one word.
void XWords::advanceBinary() {
  while (text_.size() - place_ >= 2) {
    wordPlace_ = place_;
    const std::uint32_t token = take(2);
    const std::size_t left = text_.size() - place_;
    if (token == 1 || token == 2) {  // a name, a text
      const std::size_t length = take(4);
      if (left < 4 || length > left - 4)
        return refuseRecord("a name is longer than the rest of the file");
      kind_ = token == 1 ? Kind::Word : Kind::Text;
      word_ = text_.substr(place_, length);
      place_ += length;
      return;
    }
    if (token == 3 || token == 6 || token == 7) {  // a whole number, lists of whole ones and others
      wholeNumbers_ = token != 7;
      numbersLeft_ = token == 3 ? 1 : take(4);
      const std::size_t room = (text_.size() - place_) / (wholeNumbers_ ? 4 : floatBytes_);
      if (numbersLeft_ > room) return refuseRecord("a list is longer than the rest of the file");
      if (numbersLeft_ == 0) continue;
      kind_ = Kind::Numbers;
      return;
    }
    if (token == 5) {  // an id
      if (left < 16) return refuseRecord("an id is longer than the rest of the file");
      place_ += 16;
    } else if (token == 0x0a || token == 0x0b) {
      kind_ = token == 0x0a ? Kind::Open : Kind::Close;
      return;
    } else if (token == 0x1f || (token >= 0x28 && token <= 0x34)) {
      kind_ = Kind::Word;
      word_ = token == 0x1f ? "template" : "type";
      return;
    } else if (token < 0x0c || token > 0x14) {  // else brackets, points and separators
      return refuseRecord(fmt::format("there is no token {}; it is damaged", token));
    }
  }
}

void XWords::refuseAt(int line, std::size_t byte, std::string_view why) {
  if (problem_) return;
  const std::string where = binary_ ? fmt::format("byte {}", byte) : fmt::format("line {}", line);
  problem_ = Error{ErrorCode::InvalidInput, fmt::format("{}: {}", where, why)};
  text_ = word_ = {};
  place_ = wordPlace_ = numbersLeft_ = 0;
  kind_ = Kind::End;
}

void XWords::refuseWord(std::string_view wanted) {
  if (atEnd()) {
    refuseRecord(fmt::format(
        "the file ends where {} is expected; it is cut short, so export it again", wanted));
    return;
  }
  const std::string found = isOpen()                 ? "{"
                            : isClose()              ? "}"
                            : kind_ == Kind::Numbers ? "numbers"
                                                     : cleanText(word_, 40);
  refuseRecord(fmt::format("{} is expected, not '{}'", wanted, found));
}

std::string XWords::word(std::string_view what) {
  if (kind_ != Kind::Word && kind_ != Kind::Text) {
    refuseWord(what);
    return {};
  }
  std::string word(word_);
  advance();
  return word;
}

void XWords::open() {
  if (!isOpen()) return refuseWord("'{'");
  advance();
}

void XWords::close() {
  if (!isClose()) return refuseWord("'}'");
  advance();
}

std::string XWords::head() {
  std::string name;
  if (kind_ == Kind::Word) name = word("a name");
  open();
  if (kind_ == Kind::Word && word_.starts_with('<')) advance();  // the id of its class
  return name;
}

void XWords::skipObject() {
  while (!atEnd() && !isOpen()) {
    if (isClose()) return refuseWord("'{'");
    place_ += kind_ == Kind::Numbers ? numbersLeft_ * (wholeNumbers_ ? 4 : floatBytes_) : 0;
    advance();
  }
  open();
  skipToClose();
}

void XWords::skipToClose() {
  for (std::size_t depth = 1; depth > 0 && good();) {
    if (atEnd()) return refuseWord("'}'");
    depth += isOpen() ? 1 : 0;
    depth -= isClose() ? 1 : 0;
    place_ += kind_ == Kind::Numbers ? numbersLeft_ * (wholeNumbers_ ? 4 : floatBytes_) : 0;
    advance();
  }
}

bool XWords::atNumber() {
  return kind_ == (binary_ ? Kind::Numbers : Kind::Word);
}

double XWords::number(std::string_view what) {
  double value = 0.0;
  if (!atNumber()) {
    refuseWord(fmt::format("a number for {}", what));
    return 0.0;
  }
  if (binary_) {
    const std::size_t first = place_;
    if (wholeNumbers_) {
      value = static_cast<std::int32_t>(take(4));
    } else if (floatBytes_ == 4) {
      value = std::bit_cast<float>(take(4));
    } else {
      const std::uint64_t low = take(4);
      value = std::bit_cast<double>(low | std::uint64_t{take(4)} << 32);
    }
    if (!(std::abs(value) <= kLargest)) value = 0.0;
    if (--numbersLeft_ == 0) advance();
    takenPlace_ = first;
    return value;
  }
  std::string_view digits = word_;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // C's runtime on Windows wrote numbers that are none, and too large ones, as "-1.#IND00".
  const bool none = std::string_view(end, digits.data() + digits.size()).starts_with("#");
  if (problem == std::errc::invalid_argument || (end != digits.data() + digits.size() && !none)) {
    refuseWord(fmt::format("a number for {}", what));
    return 0.0;
  }
  advance();
  return none || problem != std::errc() || !(std::abs(value) <= kLargest) ? 0.0 : value;
}

std::int64_t XWords::whole(std::string_view what) {
  const double value = number(what);
  if (value == std::floor(value)) return static_cast<std::int64_t>(value);
  refuse(fmt::format("a whole number is expected for {}, not {}", what, value));
  return 0;
}

std::size_t XWords::count(std::string_view what, std::size_t numbersEach) {
  const std::int64_t value = whole(fmt::format("the number of {}", what));
  // A number of a text takes a digit and a separator at least.
  const std::size_t room =
      (text_.size() - wordPlace_) / ((binary_ ? std::size_t{4} : std::size_t{2}) * numbersEach) + 1;
  if (value >= 0 && static_cast<std::size_t>(value) <= room) return static_cast<std::size_t>(value);
  refuse(
      fmt::format("the file says {} {}, but what is left of it has room for {} at most; it is cut "
                  "short or damaged",
                  value, what, room));
  return 0;
}

}  // namespace ck::worker
