#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace ck::worker {

// Reads a plain text format word by word and knows the line of each word. Words are divided by
// blanks and line ends (LF, CRLF or CR); each of { } ( ) is a word of its own; "..." is one word
// that may hold blanks but no line end. Nothing is copied: the text must outlive the scan.
//
// What does not fit is InvalidInput with a sentence that starts "line 12: ".
class TextScan {
 public:
  // `comments`: // to the end of the line and /* to */ are skipped like blanks.
  TextScan(std::string_view text, bool comments);

  bool atEnd() const { return word_.empty() && !quoted_; }
  // The word that comes next, without its quotes; empty at the end.
  std::string_view peek() const { return word_; }
  // Takes the next word.
  std::string_view next();
  // Takes the next word where it is `word`, whatever the case of its letters.
  bool accept(std::string_view word);
  // What is left of the line that the next word stands in, without blanks at its ends and not
  // further than a brace; takes it.
  std::string_view restOfLine();

  Result<void> expect(std::string_view word);
  // `what` is named in the sentence: "line 12: a number is expected for the frame rate, not 'x'".
  Result<double> number(std::string_view what);  // finite, at most 1e15
  Result<int> whole(std::string_view what, int least, int most);
  // How many things follow that take at least `bytesEach` of text: refuses more than fit into the
  // rest of the file, so that what is set aside for them never exceeds a multiple of the file.
  Result<int> count(std::string_view what, std::size_t bytesEach);
  Result<std::string> text(std::string_view what);  // a word or "..."; as it stands, any bytes

  int line() const { return wordLine_; }
  std::size_t bytesLeft() const { return text_.size() - place_; }
  // InvalidInput "line N: why", about the word that comes next.
  tl::unexpected<Error> refuse(std::string_view why) const;

 private:
  void skipBlanks();
  void advance();
  tl::unexpected<Error> unexpectedWord(std::string_view wanted) const;

  std::string_view text_;
  std::string_view word_;
  std::size_t place_ = 0;      // behind the word
  std::size_t wordPlace_ = 0;  // of the word
  int line_ = 1;
  int wordLine_ = 1;
  bool comments_ = false;
  bool quoted_ = false;
};

}  // namespace ck::worker
