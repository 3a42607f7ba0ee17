#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ck::worker {

// The bytes of an X file behind its head, unpacked and as UTF-8, and how they are written.
struct XBody {
  std::string_view bytes;
  bool isBinary = false;
  std::size_t floatBytes = 4;  // of a number in a binary file: 4 or 8
  std::string unpacked;        // replaces `bytes` where the file is packed or UTF-16
};

// Reads the head, "xof 0303txt 0032", and unpacks MSZIP: blocks of at most 32 KB, each behind its
// two sizes and "CK", which refer to what was unpacked before (Microsoft, "MS-MCI"). Windows tools
// write texts as UTF-16 too. `file` must outlive the result. Errors: InvalidInput, Unsupported,
// LimitExceeded.
Result<XBody> readXHead(std::string_view file);

// The words of an X file, written as text or as binary records (Microsoft, "X File Format
// Reference"). Commas and semicolons, which exporters write differently, separate words and mean
// nothing: every list says how long it is.
//
// The first thing that is wrong is kept in problem() and ends the file: from then on, numbers are 0
// and names are empty. Callers check good() where they allocate, index or loop by what was read.
class XWords {
 public:
  explicit XWords(const XBody& body);

  bool atEnd() const { return kind_ == Kind::End; }
  bool isOpen() const { return kind_ == Kind::Open; }
  bool isClose() const { return kind_ == Kind::Close; }
  // Takes the next word, which is a name, a text in quotes or a number; else refuses it.
  std::string word(std::string_view what);
  void open();
  void close();
  // Takes the head of an object behind its kind: a name, which may be missing, and the brace.
  std::string head();
  // Takes an object that is not read, from its name, or from its brace, to the brace that closes
  // it.
  void skipObject();
  // Takes the words that are left of an object and the brace that closes it.
  void skipToClose();

  // `what` appears in the message: "line 12: a number is expected for a weight, not 'x'".
  double number(std::string_view what);  // finite; 0 where an exporter wrote that it is none
  std::int64_t whole(std::string_view what);
  // The number of following entries, each at least `numbersEach` numbers. Refuses those that the
  // rest of the file cannot hold, so that memory stays proportional to the file.
  std::size_t count(std::string_view what, std::size_t numbersEach);

  bool good() const { return !problem_; }
  const std::optional<Error>& problem() const { return problem_; }
  // InvalidInput "line 12: why"; of a binary file "byte 1200: why". It is about the last word that
  // was taken.
  void refuse(std::string_view why) { refuseAt(takenLine_, takenPlace_, why); }

 private:
  enum class Kind { End, Open, Close, Word, Text, Numbers };

  void advance();
  void advanceText();
  void advanceBinary();
  void skipBlanks();
  std::uint32_t take(std::size_t bytes);  // little-endian, of a binary file
  void refuseAt(int line, std::size_t byte, std::string_view why);
  void refuseRecord(std::string_view why) { refuseAt(wordLine_, wordPlace_, why); }
  void refuseWord(std::string_view wanted);
  bool atNumber();

  std::string_view text_;
  bool binary_ = false;
  std::size_t floatBytes_ = 4;
  Kind kind_ = Kind::End;
  std::string_view word_;      // of Word and Text
  std::size_t place_ = 0;      // behind the current word
  std::size_t wordPlace_ = 0;  // where it begins
  int line_ = 1;
  int wordLine_ = 1;
  int takenLine_ = 1;  // of the last word that was taken
  std::size_t takenPlace_ = 0;
  std::size_t numbersLeft_ = 0;  // of a list of a binary file
  bool wholeNumbers_ = false;
  std::optional<Error> problem_;
};

}  // namespace ck::worker
