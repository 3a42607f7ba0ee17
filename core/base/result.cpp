#include "core/base/result.h"

namespace ck {

std::string_view errorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::FileNotFound:
      return "FileNotFound";
    case ErrorCode::FileUnreadable:
      return "FileUnreadable";
    case ErrorCode::Unsupported:
      return "Unsupported";
    case ErrorCode::InvalidInput:
      return "InvalidInput";
    case ErrorCode::LimitExceeded:
      return "LimitExceeded";
    case ErrorCode::Cancelled:
      return "Cancelled";
    case ErrorCode::ImportFailed:
      return "ImportFailed";
    case ErrorCode::ImportCrashed:
      return "ImportCrashed";
    case ErrorCode::ImportTimeout:
      return "ImportTimeout";
    case ErrorCode::ImportMemory:
      return "ImportMemory";
    case ErrorCode::ImportBadResult:
      return "ImportBadResult";
    case ErrorCode::ImportNoWorker:
      return "ImportNoWorker";
    case ErrorCode::CannotWrite:
      return "CannotWrite";
    case ErrorCode::NoGraphics:
      return "NoGraphics";
    case ErrorCode::Internal:
      return "Internal";
  }
  return "Internal";
}

tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string file) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(file)});
}

std::string_view noteLevelName(Note::Level level) {
  return level == Note::Level::Warning ? "warning" : "info";
}

}  // namespace ck
