#include "render/gl/framebuffer.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/system/free_memory.h"
#include "render/gl/context.h"

namespace ck::render {

KeptFramebuffer::KeptFramebuffer() {
  GLint draw = 0;
  GLint read = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
  draw_ = static_cast<unsigned>(draw);
  read_ = static_cast<unsigned>(read);
}

KeptFramebuffer::~KeptFramebuffer() {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, draw_);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, read_);
}

namespace {

Result<void> checkMemory(std::int64_t width, std::int64_t height, std::uint64_t bytesPerPixel) {
  constexpr std::uint64_t kWorthAsking = std::uint64_t{64} << 20;
  constexpr double kGiga = 1e9;
  const std::uint64_t needed =
      static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) * bytesPerPixel;
  if (needed < kWorthAsking) return {};
  const std::uint64_t free = freeMemoryBytes();
  if (needed <= free) return {};
  return fail(
      ErrorCode::LimitExceeded,
      fmt::format("a picture of {} x {} pixels takes {:.1f} GB of memory, and {:.1f} GB are "
                  "free; make it smaller",
                  width, height, static_cast<double>(needed) / kGiga,
                  static_cast<double>(free) / kGiga));
}

// Colour and depth, and the pixels that are read back.
constexpr std::uint64_t kTargetBytesPerPixel = 3 * 4;
// The pixels of the picture, and the same again for the numbers of its actors or for its file.
constexpr std::uint64_t kPictureBytesPerPixel = kTargetBytesPerPixel + 2 * 4;

}  // namespace

Result<void> checkPictureMemory(std::int64_t width, std::int64_t height) {
  return checkMemory(width, height, kPictureBytesPerPixel);
}

Result<Target> Target::make(int width, int height, TargetFormat format) {
  GLint limit = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  if (width < 1 || height < 1 || width > limit || height > limit) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("a picture of {} x {} pixels cannot be drawn; each side must be 1 to "
                            "{} pixels",
                            width, height, limit));
  }
  if (auto fits = checkMemory(width, height, kTargetBytesPerPixel); !fits) {
    return tl::unexpected(fits.error());
  }
  Target target;
  target.width_ = width;
  target.height_ = height;
  target.framebuffer_ = GlHandle::generate(GlKind::Framebuffer);
  target.color_ = GlHandle::generate(GlKind::Renderbuffer);
  target.depth_ = GlHandle::generate(GlKind::Renderbuffer);
  drainGlErrors();
  glBindRenderbuffer(GL_RENDERBUFFER, target.color_.name());
  glRenderbufferStorage(GL_RENDERBUFFER, format == TargetFormat::Rgba8 ? GL_RGBA8 : GL_R32UI, width,
                        height);
  glBindRenderbuffer(GL_RENDERBUFFER, target.depth_.name());
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
  glBindRenderbuffer(GL_RENDERBUFFER, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer_.name());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                            target.color_.name());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                            target.depth_.name());
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  if (outOfGlMemory() || !complete) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("the graphics driver has no memory for a picture of {} x {} pixels",
                            width, height));
  }
  return target;
}

std::vector<std::uint8_t> readRgba(unsigned framebuffer, int width, int height) {
  const std::size_t rowBytes = static_cast<std::size_t>(width) * 4;
  std::vector<std::uint8_t> pixels(rowBytes * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  // OpenGL starts at the bottom row.
  for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom) {
    const auto upper = pixels.begin() + static_cast<std::ptrdiff_t>(rowBytes) * top;
    const auto lower = pixels.begin() + static_cast<std::ptrdiff_t>(rowBytes) * bottom;
    std::swap_ranges(upper, upper + static_cast<std::ptrdiff_t>(rowBytes), lower);
  }
  return pixels;
}

std::vector<std::uint8_t> Target::readRgba() const {
  return render::readRgba(framebuffer_.name(), width_, height_);
}

std::vector<std::uint32_t> Target::readIds() const {
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(width_) *
                                 static_cast<std::size_t>(height_));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.name());
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width_, height_, GL_RED_INTEGER, GL_UNSIGNED_INT, ids.data());
  return ids;
}

}  // namespace ck::render
