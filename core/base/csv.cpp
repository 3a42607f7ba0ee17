#include "core/base/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/utf8.h"

namespace ck {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The lines that end within a text: CRLF counts once.
std::size_t lineEndsIn(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ofPair = text[i] == '\n' && i > 0 && text[i - 1] == '\r';
    if ((text[i] == '\r' || text[i] == '\n') && !ofPair) ++count;
  }
  return count;
}

// Whether a cell that begins like this may become a formula, or has an apostrophe in front that
// must be told from ours. The last four are the wide forms of = + - @.
bool isRisky(std::string_view text) {
  constexpr std::array<std::string_view, 12> kStarts = {"=",
                                                        "+",
                                                        "-",
                                                        "@",
                                                        "\t",
                                                        "\r",
                                                        "\n",
                                                        "'",
                                                        "\xEF\xBC\x9D",
                                                        "\xEF\xBC\x8B",
                                                        "\xEF\xBC\x8D",
                                                        "\xEF\xBC\xA0"};
  return std::ranges::any_of(kStarts,
                             [text](std::string_view start) { return text.starts_with(start); });
}

// Whether some spreadsheet begins a cell behind this character.
bool endsCell(char c) {
  return c == ';' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

CsvReader::CsvReader(std::string_view text, std::size_t mostCells)
    : text_(text), mostCells_(mostCells) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

tl::unexpected<Error> CsvReader::bad(std::size_t line, std::string_view what) const {
  return fail(ErrorCode::InvalidInput, fmt::format("line {}: {}", line, what));
}

Result<bool> CsvReader::next(std::vector<std::string>& cells) {
  cells.clear();
  line_ = nextLine_;
  if (at_ == text_.size()) return false;
  while (true) {
    if (cells.size() == mostCells_) {
      return fail(ErrorCode::LimitExceeded,
                  fmt::format("line {}: there are more than {} columns", line_, mostCells_));
    }
    const std::size_t line = nextLine_;
    std::string& cell = cells.emplace_back();
    if (auto ok = readCell(cell); !ok) return tl::unexpected(ok.error());
    if (!isUtf8(cell)) return bad(line, "the text is not UTF-8");
    const bool isLast = at_ == text_.size() || text_[at_] != ',';
    if (isLast) break;
    ++at_;
  }
  skipLineEnd();
  return true;
}

Result<void> CsvReader::readCell(std::string& cell) {
  if (at_ < text_.size() && text_[at_] == '"') return readQuoted(cell);
  const std::size_t end = std::min(text_.find_first_of(",\r\n\"", at_), text_.size());
  if (end < text_.size() && text_[end] == '"') {
    return bad(nextLine_, "a quotation mark stands within a cell that does not begin with one");
  }
  cell = text_.substr(at_, end - at_);
  at_ = end;
  return {};
}

Result<void> CsvReader::readQuoted(std::string& cell) {
  const std::size_t first = nextLine_;
  while (true) {
    ++at_;
    const std::size_t quote = text_.find('"', at_);
    if (quote == std::string_view::npos) return bad(first, "a quotation mark is not closed");
    cell += text_.substr(at_, quote - at_);
    at_ = quote + 1;
    if (at_ == text_.size() || text_[at_] != '"') break;
    cell += '"';
  }
  nextLine_ += lineEndsIn(cell);
  if (at_ == text_.size() || text_[at_] == ',' || text_[at_] == '\r' || text_[at_] == '\n') {
    return {};
  }
  return bad(nextLine_, "text follows a closing quotation mark");
}

void CsvReader::skipLineEnd() {
  if (at_ == text_.size()) return;
  at_ += text_.substr(at_).starts_with("\r\n") ? 2 : 1;
  ++nextLine_;
}

std::string csvCell(std::string_view text) {
  const bool isPlain = text.find_first_of(",;\"\r\n\t") == std::string_view::npos &&
                       !text.starts_with(' ') && !text.ends_with(' ');
  if (isPlain) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

std::string formulaSafe(std::string_view text) {
  std::string safe;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins && isRisky(text.substr(i))) safe += '\'';
    safe += text[i];
    begins = endsCell(text[i]);
  }
  return safe;
}

std::string textOfFormulaSafe(std::string_view text) {
  std::string original;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins && text[i] == '\'' && isRisky(text.substr(i + 1))) ++i;
    original += text[i];
    begins = endsCell(text[i]);
  }
  return original;
}

}  // namespace ck
