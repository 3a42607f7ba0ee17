#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace ck {

// Why something could not be done. The words are the same in the library, the log, the editor and
// the JSON of the command line (docs/errors.md), and are never renamed once released.
enum class ErrorCode {
  FileNotFound,     // no such file
  FileUnreadable,   // it is there but cannot be opened or is not a regular file
  Unsupported,      // a valid thing that this version does not handle
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
  NoGraphics,       // no OpenGL context that fits
  Internal,         // a fault of our own
};

// "FileNotFound" and so on.
std::string_view errorCodeName(ErrorCode code);

// What went wrong, in words an artist can act on, e.g.
// "walk.fbx: clip 'Run' has no key for joint 'Hips'". No full sentence marks like "Error:".
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message;
  std::string file = {};  // the file the message is about, where there is one; UTF-8
};

// A value or an Error. Ignoring one is a compiler warning.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(tl::expected<T, Error> other) : tl::expected<T, Error>(std::move(other)) {}
};

// `return fail(ErrorCode::InvalidInput, fmt::format(...));`
tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string file = {});

// Something the artist should know although the work went on, e.g. code "InfluencesLimited",
// message "3 vertices had 5 influences; the 4 largest were kept (up to 0.4 mm)".
// The codes are CamelCase and listed in docs/notes.md.
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
