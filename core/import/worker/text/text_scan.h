#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace ck::worker {

// A tokenizer for text formats that knows the line of each word. Words are separated by blanks and
// line ends (LF, CRLF or CR). Each of { } ( ) is a word of its own. "..." is one word, which may
// contain blanks but no line end. Nothing is copied: the text must outlive the scan.
//
// The first thing that is wrong is kept in problem() and ends the text: from then on, numbers are 0
// and texts are empty. Callers check good() where they allocate, index or loop by what was read.
class TextScan {
 public:
  // `comments`: skip // to the end of the line and /* to */.
  TextScan(std::string_view text, bool comments);

  bool atEnd() const { return word_.empty() && !quoted_; }
  // The next word without quotes; empty at the end.
  std::string_view peek() const { return word_; }
  // Takes the next word.
  std::string_view next();
  // Takes the next word if it equals `word`, ignoring letter case.
  bool accept(std::string_view word);
  // Takes the rest of the next word's line, up to a brace, without surrounding blanks.
  std::string_view restOfLine();

  void expect(std::string_view word);
  // The same for a word that the next one may follow without a blank: "Time:0.01".
  void expectLabel(std::string_view word);
  // `what` appears in the message: "line 12: a number is expected for the frame rate, not 'x'".
  double number(std::string_view what);  // finite, at most 1e15
  int whole(std::string_view what, int least, int most);
  // The number of following entries, each at least `bytesEach` bytes of text. Refuses numbers that
  // exceed the rest of the file, so that memory for the entries stays proportional to the file
  // size.
  int count(std::string_view what, std::size_t bytesEach);
  // A word or "...", unchanged; may hold any bytes.
  std::string text(std::string_view what);

  int line() const { return wordLine_; }
  std::size_t bytesLeft() const { return text_.size() - place_; }

  bool good() const { return !problem_; }
  const std::optional<Error>& problem() const { return problem_; }
  void fail(ErrorCode code, std::string message);
  // InvalidInput "line N: why", where N is that of the next word if it is not given.
  void refuse(int line, std::string_view why);
  void refuse(std::string_view why) { refuse(wordLine_, why); }
  // Adds " (more)" to the message of the problem.
  void explain(std::string_view more);

 private:
  void skipBlanks();
  void advance();
  void refuseWord(std::string_view wanted);

  std::string_view text_;
  std::string_view word_;
  std::size_t place_ = 0;      // position after the current word
  std::size_t wordPlace_ = 0;  // start of the current word
  int line_ = 1;
  int wordLine_ = 1;
  bool comments_ = false;
  bool quoted_ = false;
  std::optional<Error> problem_;
};

}  // namespace ck::worker
