#include "core/import/worker/text/text_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

bool isLineEnd(char c) {
  return c == '\n' || c == '\r';
}
bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0' || isLineEnd(c);
}
bool isMark(char c) {
  return c == '{' || c == '}' || c == '(' || c == ')';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool sameLetters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

TextScan::TextScan(std::string_view text, bool comments) : text_(text), comments_(comments) {
  if (text_.starts_with("\xEF\xBB\xBF")) place_ = 3;
  advance();
}

void TextScan::skipBlanks() {
  while (place_ < text_.size()) {
    const std::string_view rest = text_.substr(place_);
    if (isBlank(rest[0])) {
      // A CRLF is counted at its LF.
      if (rest[0] == '\n' || (rest[0] == '\r' && !rest.substr(1).starts_with('\n'))) ++line_;
      ++place_;
    } else if (comments_ && rest.starts_with("//")) {
      place_ = std::min(text_.find_first_of("\r\n", place_), text_.size());
    } else if (comments_ && rest.starts_with("/*")) {
      const std::size_t end = std::min(text_.find("*/", place_ + 2), text_.size());
      for (std::size_t i = place_; i < end; ++i) {
        const bool pair = text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
        line_ += isLineEnd(text_[i]) && !pair ? 1 : 0;
      }
      place_ = std::min(end + 2, text_.size());
    } else {
      return;
    }
  }
}

void TextScan::advance() {
  skipBlanks();
  wordLine_ = line_;
  wordPlace_ = place_;
  quoted_ = false;
  word_ = {};
  if (place_ >= text_.size()) return;
  if (text_[place_] == '"') {
    const std::size_t first = place_ + 1;
    const std::size_t end = std::min(text_.find_first_of("\"\r\n", first), text_.size());
    quoted_ = true;
    word_ = text_.substr(first, end - first);
    place_ = end < text_.size() && text_[end] == '"' ? end + 1 : end;
    return;
  }
  std::size_t end = place_ + 1;
  if (!isMark(text_[place_])) {
    while (end < text_.size() && !isBlank(text_[end]) && !isMark(text_[end]) && text_[end] != '"') {
      if (comments_ && text_[end] == '/' && end + 1 < text_.size() &&
          (text_[end + 1] == '/' || text_[end + 1] == '*')) {
        break;
      }
      ++end;
    }
  }
  word_ = text_.substr(place_, end - place_);
  place_ = end;
}

std::string_view TextScan::next() {
  const std::string_view word = word_;
  advance();
  return word;
}

bool TextScan::accept(std::string_view word) {
  if (quoted_ || !sameLetters(word_, word)) return false;
  advance();
  return true;
}

std::string_view TextScan::restOfLine() {
  const std::size_t end = std::min(text_.find_first_of("{}\r\n", wordPlace_), text_.size());
  std::string_view rest = text_.substr(wordPlace_, end - wordPlace_);
  while (!rest.empty() && isBlank(rest.back())) rest.remove_suffix(1);
  place_ = end;
  line_ = wordLine_;
  advance();
  return rest;
}

void TextScan::fail(ErrorCode code, std::string message) {
  if (problem_) return;
  problem_ = Error{code, std::move(message)};
  text_ = word_ = {};
  place_ = wordPlace_ = 0;
  quoted_ = false;
}

void TextScan::refuse(int line, std::string_view why) {
  fail(ErrorCode::InvalidInput, fmt::format("line {}: {}", line, why));
}

void TextScan::explain(std::string_view more) {
  problem_->message += fmt::format(" ({})", more);
}

void TextScan::refuseWord(std::string_view wanted) {
  if (atEnd()) {
    refuse(fmt::format("the file ends where {} is expected; it is cut short, so export it again",
                       wanted));
  } else {
    refuse(fmt::format("{} is expected, not '{}'", wanted, cleanText(word_, 40)));
  }
}

void TextScan::expect(std::string_view word) {
  if (!accept(word)) refuseWord(fmt::format("'{}'", word));
}

void TextScan::expectLabel(std::string_view word) {
  const bool isJoined =
      !quoted_ && word_.size() > word.size() && sameLetters(word_.substr(0, word.size()), word);
  if (!isJoined) return expect(word);
  word_.remove_prefix(word.size());
  wordPlace_ += word.size();
}

double TextScan::number(std::string_view what) {
  std::string_view digits = quoted_ ? std::string_view() : word_;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = !digits.empty() && end == digits.data() + digits.size();
  // Numbers too small for a double read as 0.
  const bool tiny = problem == std::errc::result_out_of_range && whole &&
                    digits.find_first_of("eE") != std::string_view::npos &&
                    digits[digits.find_first_of("eE") + 1] == '-';
  if (tiny) value = 0.0;
  if ((problem != std::errc() && !tiny) || !whole || !(std::abs(value) <= 1e15)) {
    refuseWord(fmt::format("a number for {}", what));
    return 0.0;
  }
  advance();
  return value;
}

int TextScan::whole(std::string_view what, int least, int most) {
  int value = 0;
  const std::string_view digits = quoted_ ? std::string_view() : word_;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool good = problem == std::errc() && end == digits.data() + digits.size();
  if (!good || value < least || value > most) {
    refuseWord(most < least ? fmt::format("no {}", what)
                            : fmt::format("a whole number of {} to {} for {}", least, most, what));
    return 0;
  }
  advance();
  return value;
}

int TextScan::count(std::string_view what, std::size_t bytesEach) {
  const std::size_t room = (text_.size() - place_) / bytesEach;
  const int most = static_cast<int>(std::min<std::size_t>(room, 2'000'000'000));
  const int line = wordLine_;
  const int value = whole(fmt::format("the number of {}", what), 0, 2'147'483'647);
  if (value <= most) return value;
  refuse(line, fmt::format("the file says {} {}, but what is left of it has room for {} at most; "
                           "it is cut short or damaged",
                           value, what, most));
  return 0;
}

std::string TextScan::text(std::string_view what) {
  if (!atEnd() && (quoted_ || !isMark(word_[0]))) return std::string(next());
  refuseWord(what);
  return {};
}

}  // namespace ck::worker
