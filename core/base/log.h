#pragma once

#include <functional>
#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace ck {

// One line of the log.
struct LogLine {
  enum class Level { Debug, Info, Warning, Error };
  Level level = Level::Info;
  std::string text;  // UTF-8, without line end
};

// The program's only logger. It writes to standard error, at level Warning and above until
// setLogLevel() changes that. Thread-safe. Callers of its methods include <spdlog/spdlog.h>.
spdlog::logger& log();

// Drops lines below `level` for standard error and for the sink.
void setLogLevel(LogLine::Level level);

// Switches output to standard error on or off. It is on initially.
void setLogToStderr(bool on);

// Passes every later line to `sink`, on the thread that logs it. An empty function removes the
// sink.
void attachLogSink(std::function<void(const LogLine&)> sink);

}  // namespace ck
