#pragma once

#include <memory>

#include "core/base/result.h"

namespace ck::render {

// An OpenGL core context without a window or X server (EGL surfaceless). It is current on the
// thread that made it until it is destroyed. Its version is 4.5 if the driver supports it, else 4.1
// or 3.3.
class HeadlessContext {
 public:
  // Fails with NoGraphics and the reason. With `debug` it makes a debug context whose messages go
  // to the log (logGlMessages() in render/gl/context.h).
  static Result<std::unique_ptr<HeadlessContext>> make(bool debug = false);
  ~HeadlessContext();

  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

 private:
  HeadlessContext(void* display, void* context) : display_(display), context_(context) {}
  void* display_;  // EGLDisplay
  void* context_;  // EGLContext
};

}  // namespace ck::render
