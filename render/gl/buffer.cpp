#include "render/gl/buffer.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "core/base/assert.h"
#include "render/gl/context.h"

namespace ck::render {
namespace {

// Buffers are bound to copy targets only, which leaves vertex arrays unchanged.
Result<void> store(unsigned name, const void* bytes, std::size_t sizeBytes, GLenum use,
                   std::string_view what) {
  drainGlErrors();
  glBindBuffer(GL_COPY_WRITE_BUFFER, name);
  glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(sizeBytes), bytes, use);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  if (outOfGlMemory()) {
    return fail(
        ErrorCode::LimitExceeded,
        fmt::format("the graphics driver has no memory for {} ({} MB)", what, sizeBytes / 1000000));
  }
  return {};
}

struct TexelInfo {
  GLenum format;
  std::size_t bytes;
};

// Indexed by TexelKind.
constexpr TexelInfo kTexels[] = {{GL_RGBA32F, 16}, {GL_R32I, 4}, {GL_RGBA32I, 16}, {GL_R32F, 4}};

const TexelInfo& infoOf(TexelKind kind) {
  return kTexels[static_cast<std::size_t>(kind)];
}

}  // namespace

unsigned Buffer::name() const {
  if (!handle_) handle_ = GlHandle::generate(GlKind::Buffer);
  return handle_.name();
}

Result<void> Buffer::uploadBytes(std::span<const std::byte> bytes, BufferUse use,
                                 std::string_view what) {
  const GLenum usage = use == BufferUse::Static ? GL_STATIC_DRAW : GL_STREAM_DRAW;
  auto stored = store(name(), bytes.data(), bytes.size(), usage, what);
  sizeBytes_ = stored ? bytes.size() : 0;
  return stored;
}

void Buffer::uploadPartBytes(std::size_t offset, std::span<const std::byte> bytes) {
  CK_ASSERT(offset + bytes.size() <= sizeBytes_);
  glBindBuffer(GL_COPY_WRITE_BUFFER, name());
  glBufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(offset),
                  static_cast<GLsizeiptr>(bytes.size()), bytes.data());
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

Result<void> Buffer::allocate(std::size_t sizeBytes, std::string_view what) {
  // Written and read by the GPU; NVIDIA's driver moves what is to be read by the processor to its
  // memory.
  auto stored = store(name(), nullptr, sizeBytes, GL_DYNAMIC_COPY, what);
  sizeBytes_ = stored ? sizeBytes : 0;
  return stored;
}

void Buffer::readBytes(std::span<std::byte> bytes) const {
  glBindBuffer(GL_COPY_READ_BUFFER, handle_.name());
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(bytes.size()), bytes.data());
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
}

std::span<std::byte> Buffer::mapToWrite(std::size_t offset, std::size_t sizeBytes, bool kept) {
  glBindBuffer(GL_COPY_WRITE_BUFFER, handle_.name());
  const GLbitfield access =
      kept ? GL_MAP_WRITE_BIT : GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT;
  void* bytes = glMapBufferRange(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(offset),
                                 static_cast<GLsizeiptr>(sizeBytes), access);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  if (bytes == nullptr) return {};
  return {static_cast<std::byte*>(bytes), sizeBytes};
}

void Buffer::unmap() {
  glBindBuffer(GL_COPY_WRITE_BUFFER, handle_.name());
  glUnmapBuffer(GL_COPY_WRITE_BUFFER);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

Result<void> BufferTexture::checkSize(std::size_t sizeBytes, std::string_view what) const {
  const std::size_t texels = sizeBytes / infoOf(kind_).bytes;
  GLint limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &limit);
  if (texels <= static_cast<std::size_t>(limit)) return {};
  return fail(
      ErrorCode::LimitExceeded,
      fmt::format("{} need {} texels, and this graphics driver takes {}", what, texels, limit));
}

Result<void> BufferTexture::textured(Result<void> stored) {
  if (!stored || texture_) return stored;
  texture_ = GlHandle::generate(GlKind::Texture);
  glBindTexture(GL_TEXTURE_BUFFER, texture_.name());
  glTexBuffer(GL_TEXTURE_BUFFER, infoOf(kind_).format, name());
  glBindTexture(GL_TEXTURE_BUFFER, 0);
  return stored;
}

Result<void> BufferTexture::allocate(std::size_t sizeBytes, std::string_view what) {
  if (auto fits = checkSize(sizeBytes, what); !fits) return fits;
  return textured(Buffer::allocate(sizeBytes, what));
}

void BufferTexture::bind(int unit) const {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_BUFFER, texture_.name());
}

}  // namespace ck::render
