#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "render/gl/handle.h"

namespace ck::render {

// Restores the previous framebuffer binding on destruction.
class KeptFramebuffer {
 public:
  KeptFramebuffer();
  ~KeptFramebuffer();
  KeptFramebuffer(const KeptFramebuffer&) = delete;
  KeptFramebuffer& operator=(const KeptFramebuffer&) = delete;

 private:
  unsigned draw_ = 0;
  unsigned read_ = 0;
};

// Refuses a picture that is made in memory with LimitExceeded if this process cannot take what it
// needs from its drawing to its file. Asked before anything is allocated: drivers may fail by
// ending the process. Sizes are in pixels.
Result<void> checkPictureMemory(std::int64_t width, std::int64_t height);

// The pixels of a framebuffer object's first colour buffer, RGBA of 8 bits, top row first.
std::vector<std::uint8_t> readRgba(unsigned framebuffer, int width, int height);

enum class TargetFormat { Rgba8, R32Ui };

// A framebuffer object with one colour texture and depth. Sizes are in pixels.
class Target {
 public:
  // Fails with LimitExceeded for sizes below 1 or above the context's limit, and where there is no
  // memory for it and the pixels that are read from it.
  static Result<Target> make(int width, int height, TargetFormat format);

  unsigned name() const { return framebuffer_.name(); }
  unsigned depthName() const { return depth_.name(); }  // a renderbuffer
  int width() const { return width_; }
  int height() const { return height_; }

  // The pixels of an Rgba8 target, top row first.
  std::vector<std::uint8_t> readRgba() const;
  // The pixels of an R32Ui target, bottom row first.
  std::vector<std::uint32_t> readIds() const;

 private:
  Target() = default;

  int width_ = 0;
  int height_ = 0;
  GlHandle framebuffer_;
  GlHandle color_;
  GlHandle depth_;
};

}  // namespace ck::render
