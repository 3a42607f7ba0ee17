#pragma once

#include <memory>

#include "core/base/result.h"

namespace ck::render {

// An OpenGL 4.5 core context without a window or X server (EGL surfaceless), current on the thread
// that made it until it is destroyed.
class HeadlessContext {
 public:
  // Fails with NoGraphics and the reason. With `debug`, a debug context.
  static Result<std::unique_ptr<HeadlessContext>> make(bool debug = false);
  ~HeadlessContext();

  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

 private:
  struct Parts;
  explicit HeadlessContext(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace ck::render
