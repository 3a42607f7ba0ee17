#include "core/base/result.h"

#include <exception>
#include <iterator>
#include <new>
#include <stdexcept>
#include <system_error>

namespace ck {

namespace {

constexpr std::string_view kErrorCodes[] = {
    "FileNotFound",    "FileUnreadable", "Unsupported",   "InvalidInput",  "LimitExceeded",
    "Cancelled",       "ImportFailed",   "ImportCrashed", "ImportTimeout", "ImportMemory",
    "ImportBadResult", "ImportNoWorker", "CannotWrite",   "NoGraphics",    "Internal"};
static_assert(std::size(kErrorCodes) == static_cast<std::size_t>(ErrorCode::Internal) + 1);

Error noMemory() {
  return {ErrorCode::LimitExceeded, "the machine has not enough memory for this"};
}

Error internalFault(const std::exception& fault) {
  return {ErrorCode::Internal, std::string("internal fault: ") + fault.what()};
}

}  // namespace

std::string_view errorCodeName(ErrorCode code) {
  return kErrorCodes[static_cast<std::size_t>(code)];
}

tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string file) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(file)});
}

Error errorOfException() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return noMemory();
  } catch (const std::length_error&) {
    return noMemory();
  } catch (const std::system_error& fault) {
    // Without memory for its stack there is no thread either.
    if (fault.code() == std::errc::resource_unavailable_try_again ||
        fault.code() == std::errc::not_enough_memory) {
      return {ErrorCode::LimitExceeded,
              "the machine has not enough memory for this, or too many threads already"};
    }
    return internalFault(fault);
  } catch (const std::exception& fault) {
    return internalFault(fault);
  } catch (...) {
    return {ErrorCode::Internal, "internal fault"};
  }
}

std::string_view noteLevelName(Note::Level level) {
  return level == Note::Level::Warning ? "warning" : "info";
}

}  // namespace ck
