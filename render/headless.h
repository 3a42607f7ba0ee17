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
  // to the log (logGlMessages() in render/gl/context.h). Where less than 2 GiB of memory are free,
  // a crash of the program while the context lives is taken for a driver that got none: the program
  // ends with code 5 and a sentence on standard error.
  static Result<std::unique_ptr<HeadlessContext>> make(bool debug = false);
  ~HeadlessContext();

  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

 private:
  HeadlessContext() = default;
  void* display_ = nullptr;  // EGLDisplay
  void* context_ = nullptr;  // EGLContext
  bool expectsCrashes_ = false;
};

}  // namespace ck::render
