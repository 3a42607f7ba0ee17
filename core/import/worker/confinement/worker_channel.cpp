#include "core/import/worker/confinement/worker_channel.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr std::size_t kLongestLine = 4'000;
constexpr std::size_t kMostTogether = std::size_t{63} * 1024;
// Reserved for the error that ends the import.
constexpr std::size_t kErrorReserve = 5'000;

bool writeAll(int descriptor, const void* data, std::size_t size) {
  const auto* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = ::write(descriptor, next, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    next += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace

void WorkerChannel::line(std::string_view json, std::size_t reserve) {
  const std::lock_guard lock(mutex_);
  const std::string text = std::string(json) + "\n";
  if (text.size() > kLongestLine || written_ + text.size() + reserve > kMostTogether) return;
  written_ += text.size();
  writeAll(STDERR_FILENO, text.data(), text.size());
}

void WorkerChannel::progress(float fraction, std::string_view step) {
  line(nlohmann::json{{"progress", std::round(fraction * 1000.0) / 1000.0},
                      {"step", cleanText(step)}}
           .dump(),
       kErrorReserve);
}

void WorkerChannel::error(const Error& error) {
  const std::string message = cleanText(error.message, 1'000);
  line(
      nlohmann::json{{"error", {{"code", errorCodeName(error.code)}, {"message", message}}}}.dump(),
      0);
}

void WorkerChannel::log(std::string_view text) {
  line(nlohmann::json{{"log", cleanText(text, 500)}}.dump(), kErrorReserve);
}

void WorkerChannel::missing(std::span<const Wall> walls) {
  nlohmann::json names = nlohmann::json::array();
  for (const Wall wall : walls) names.push_back(wallName(wall));
  line(nlohmann::json{{"missing", names}}.dump(), kErrorReserve);
}

bool WorkerChannel::result(std::span<const std::byte> bytes) {
  return writeAll(STDOUT_FILENO, bytes.data(), bytes.size());
}

}  // namespace ck::worker
