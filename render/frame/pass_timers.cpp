#include "render/frame/pass_timers.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace ck::render {

double PassTimers::nowMs() const {
  if (software_) {
    return static_cast<double>(std::clock()) * 1000.0 / static_cast<double>(CLOCKS_PER_SEC);
  }
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

// Reads the queries of an earlier frame with this index; false if the GPU has not finished.
bool PassTimers::collect(Asked& asked) {
  for (std::size_t i = 0; i < asked.used; ++i) {
    GLint ready = GL_FALSE;
    glGetQueryObjectiv(asked.queries[i].handle.name(), GL_QUERY_RESULT_AVAILABLE, &ready);
    if (ready == GL_FALSE) return false;
  }
  for (std::size_t i = 0; i < asked.used; ++i) {
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(asked.queries[i].handle.name(), GL_QUERY_RESULT, &nanoseconds);
    const std::string& name = asked.queries[i].name;
    auto found = std::find_if(known_.begin(), known_.end(),
                              [&name](const PassCost& cost) { return cost.name == name; });
    if (found == known_.end()) found = known_.insert(found, PassCost{name, 0.0, {}});
    found->gpuMs = static_cast<double>(nanoseconds) * 1e-6;
  }
  asked.used = 0;
  return true;
}

void PassTimers::startFrame() {
  costs_.clear();
  inPass_ = false;
  asking_ = !software_ && collect(frames_[++frame_ % kFramesBehind]);
}

void PassTimers::begin(const char* name) {
  endPass();
  costs_.push_back({name, 0.0, {}});
  inPass_ = true;
  passStartMs_ = nowMs();
  if (!asking_) return;
  Asked& asked = frames_[frame_ % kFramesBehind];
  if (asked.used == asked.queries.size()) {
    asked.queries.push_back({name, GlHandle::generate(GlKind::Query)});
  }
  Query& query = asked.queries[asked.used++];
  query.name = name;
  glBeginQuery(GL_TIME_ELAPSED, query.handle.name());
}

void PassTimers::endPass() {
  if (!inPass_) return;
  inPass_ = false;
  costs_.back().cpuMs = nowMs() - passStartMs_;
  if (asking_) glEndQuery(GL_TIME_ELAPSED);
}

void PassTimers::endFrame() {
  endPass();
  for (PassCost& cost : costs_) {
    const auto found = std::find_if(known_.begin(), known_.end(), [&cost](const PassCost& other) {
      return other.name == cost.name;
    });
    if (found != known_.end()) cost.gpuMs = found->gpuMs;
  }
}

}  // namespace ck::render
