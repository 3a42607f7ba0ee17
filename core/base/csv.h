#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ck {

// Reads comma-separated values (RFC 4180) row by row: UTF-8, with or without a byte order mark.
// Lines end with CRLF, LF or CR. The text must outlive the reader.
class CsvReader {
 public:
  // Rows may have at most `mostCells` cells.
  CsvReader(std::string_view text, std::size_t mostCells);

  // Reads the next row into `cells`, quotation marks removed. False at the end of the text. Errors
  // name the line: InvalidInput for quotation marks in a wrong place and for bytes that are not
  // UTF-8, LimitExceeded for too many cells.
  Result<bool> next(std::vector<std::string>& cells);

  // The line in which the last row began, from 1.
  std::size_t line() const { return line_; }

 private:
  Result<void> readCell(std::string& cell);
  Result<void> readQuoted(std::string& cell);
  void skipLineEnd();
  tl::unexpected<Error> bad(std::size_t line, std::string_view what) const;

  std::string_view text_;
  std::size_t mostCells_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::size_t nextLine_ = 1;
};

// A cell as it is written: in quotation marks if its text needs them.
std::string csvCell(std::string_view text);

// A text that no spreadsheet takes for a formula. An apostrophe is put in front of = + - @ (their
// wide forms, too), tab, CR, LF and the apostrophe itself, where one of these begins the text. The
// same is done behind ; tab, CR and LF, because a spreadsheet whose separator is not the comma
// begins a cell there.
std::string formulaSafe(std::string_view text);
// Undoes formulaSafe(). Other apostrophes are kept.
std::string textOfFormulaSafe(std::string_view text);

}  // namespace ck
