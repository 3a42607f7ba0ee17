#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/import/host/sandbox.h"

namespace ck::worker {

// The worker's connection to its host: JSON lines on standard error (at most 4 KB each and 64 KB in
// total) and the finished character on standard output.
class WorkerChannel {
 public:
  void progress(float fraction, std::string_view step);
  void error(const Error& error);
  void log(std::string_view text);
  // The walls of the prison that this system does not have: the first message, also where it has
  // all.
  void missing(std::span<const Wall> walls);
  // Returns false if the host has closed the pipe.
  bool result(std::span<const std::byte> bytes);

 private:
  // Drops the line if less than `reserve` bytes would be left for others.
  void line(std::string_view json, std::size_t reserve);

  std::mutex mutex_;
  std::size_t written_ = 0;
};

}  // namespace ck::worker
