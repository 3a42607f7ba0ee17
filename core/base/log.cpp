#include "core/base/log.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "core/base/assert.h"

namespace ck {
namespace {

// The levels of spdlog are ours, in the same order, with one more at either end.
LogLine::Level lineLevel(spdlog::level::level_enum level) {
  const int ours =
      std::clamp(level - spdlog::level::debug, 0, spdlog::level::err - spdlog::level::debug);
  return static_cast<LogLine::Level>(ours);
}

spdlog::level::level_enum spdLevel(LogLine::Level level) {
  return static_cast<spdlog::level::level_enum>(spdlog::level::debug + static_cast<int>(level));
}

// Passes lines to the attached sink without formatting them.
class ForwardSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void attach(std::function<void(const LogLine&)> sink) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sink_ = std::move(sink);
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (!sink_) return;
    sink_(LogLine{lineLevel(message.level),
                  std::string(message.payload.data(), message.payload.size())});
  }
  void flush_() override {}

 private:
  std::function<void(const LogLine&)> sink_;
};

struct Loggers {
  std::shared_ptr<spdlog::sinks::stderr_sink_mt> stderrSink =
      std::make_shared<spdlog::sinks::stderr_sink_mt>();
  std::shared_ptr<ForwardSink> forward = std::make_shared<ForwardSink>();
  spdlog::logger logger{"crowdkiln", {stderrSink, forward}};

  Loggers() {
    logger.set_pattern("%l: %v");
    logger.set_level(spdlog::level::warn);
  }
};

Loggers& loggers() {
  static Loggers instance;
  return instance;
}

}  // namespace

spdlog::logger& log() {
  return loggers().logger;
}

void setLogLevel(LogLine::Level level) {
  log().set_level(spdLevel(level));
}

void setLogToStderr(bool on) {
  loggers().stderrSink->set_level(on ? spdlog::level::trace : spdlog::level::off);
}

void attachLogSink(std::function<void(const LogLine&)> sink) {
  loggers().forward->attach(std::move(sink));
}

void assertFailed(const char* condition, const char* file, int line) {
  log().critical("{}:{}: assertion failed: {}", file, line, condition);
  std::abort();
}

}  // namespace ck
