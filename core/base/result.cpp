#include "core/base/result.h"

#include <iterator>

namespace ck {

namespace {

constexpr std::string_view kErrorCodes[] = {
    "FileNotFound",    "FileUnreadable", "Unsupported",   "InvalidInput",  "LimitExceeded",
    "Cancelled",       "ImportFailed",   "ImportCrashed", "ImportTimeout", "ImportMemory",
    "ImportBadResult", "ImportNoWorker", "CannotWrite",   "NoGraphics",    "Internal"};
static_assert(std::size(kErrorCodes) == static_cast<std::size_t>(ErrorCode::Internal) + 1);

}  // namespace

std::string_view errorCodeName(ErrorCode code) {
  return kErrorCodes[static_cast<std::size_t>(code)];
}

tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string file) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(file)});
}

std::string_view noteLevelName(Note::Level level) {
  return level == Note::Level::Warning ? "warning" : "info";
}

}  // namespace ck
