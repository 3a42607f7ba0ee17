#pragma once

#include <functional>
#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace ck {

// One line of the log, as a view shows it.
struct LogLine {
  enum class Level { Debug, Info, Warning, Error };
  Level level = Level::Info;
  std::string text;  // UTF-8, without line end
};

// The one logger of the program. It writes to standard error, at Warning and above unless
// setLogLevel says otherwise. Thread-safe. Include <spdlog/spdlog.h> where you call its methods.
spdlog::logger& log();

// Lines below `level` are dropped everywhere.
void setLogLevel(LogLine::Level level);

// Whether lines go to standard error as well (they do at the start).
void setLogToStderr(bool on);

// Hands every later line to `sink`, on the thread that logged it. An empty function detaches.
void attachLogSink(std::function<void(const LogLine&)> sink);

}  // namespace ck
