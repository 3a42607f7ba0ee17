#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace ck {

// Why an operation failed. The names are the same in the library, the log, the editor and the JSON
// of the command line (docs/errors.md). A released name never changes.
enum class ErrorCode {
  FileNotFound,     // no such file
  FileUnreadable,   // the file exists but cannot be opened, or is not a regular file
  Unsupported,      // valid, but this version does not handle it
  InvalidInput,     // the file or value is damaged or makes no sense
  LimitExceeded,    // larger than a stated limit
  Cancelled,        // the user asked to stop
  ImportFailed,     // the reader refused the file
  ImportCrashed,    // the import worker died
  ImportTimeout,    // the import worker took too long
  ImportMemory,     // the import worker ran out of its memory
  ImportBadResult,  // what the worker sent does not validate
  ImportNoWorker,   // kiln-import is missing or does not start
  CannotWrite,      // a file could not be written
  NoGraphics,       // no suitable OpenGL context
  Internal,         // a programming error of ours
};

// "FileNotFound" and so on.
std::string_view errorCodeName(ErrorCode code);

// A failure: its code, and a sentence that an artist can act on, e.g. "walk.fbx: clip 'Run' has no
// key for joint 'Hips'". There is no prefix like "Error:".
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message;
  std::string file = {};  // the file the message is about, if any; UTF-8
};

// A value or an Error. The compiler warns where a Result is ignored.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(tl::expected<T, Error> other) : tl::expected<T, Error>(std::move(other)) {}
};

// `return fail(ErrorCode::InvalidInput, fmt::format(...));`
tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string file = {});

// The error of the exception that is being handled: LimitExceeded if there is not enough memory,
// else Internal. For catch blocks only.
Error errorOfException();

// Information for the artist when an operation continued, e.g. code "InfluencesLimited", message "3
// vertices had 5 influences; the 4 largest were kept (up to 0.4 mm)". The codes are CamelCase and
// listed in docs/notes.md.
struct Note {
  enum class Level { Info, Warning };
  Level level = Level::Info;
  std::string code;
  std::string message;
  bool operator==(const Note&) const = default;
};
using Notes = std::vector<Note>;

// "info" or "warning".
std::string_view noteLevelName(Note::Level level);

}  // namespace ck
