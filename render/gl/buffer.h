#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "render/gl/handle.h"

namespace ck::render {

// How often the bytes change.
enum class BufferUse { Static, Stream };

// Bytes on the GPU, for vertices, indices, instances or texels.
class Buffer {
 public:
  // Replaces the content; the GL name stays, so that vertex arrays that point here stay right.
  // Fails with LimitExceeded where the driver has no memory; `what` names the thing for the
  // sentence, e.g. "the actors".
  Result<void> upload(std::span<const std::byte> bytes, BufferUse use, std::string_view what);

  // Room for `sizeBytes` that the GPU fills; content undefined.
  Result<void> allocate(std::size_t sizeBytes, std::string_view what);

  // Copies the first `bytes.size()` bytes back; waits for the GPU.
  void read(std::span<std::byte> bytes) const;

  // A part of the buffer, to be written by the CPU; nothing where the driver has no memory for it.
  // What is not written is undefined unless it is `kept`. The buffer is not to be used before
  // unmap().
  std::span<std::byte> mapToWrite(std::size_t offset, std::size_t sizeBytes, bool kept);
  void unmap();

  // Makes the GL name where there is none yet.
  unsigned name();
  unsigned existingName() const { return handle_.name(); }  // 0 where there is none yet
  std::size_t sizeBytes() const { return sizeBytes_; }

 private:
  GlHandle handle_;
  std::size_t sizeBytes_ = 0;
};

enum class TexelKind { Rgba32F, R32I, Rgba32I, R32F };

// A buffer that shaders read with texelFetch.
class BufferTexture {
 public:
  explicit BufferTexture(TexelKind kind = TexelKind::Rgba32F) : kind_(kind) {}

  // Fails with LimitExceeded where there are more texels than GL_MAX_TEXTURE_BUFFER_SIZE, too.
  Result<void> upload(std::span<const std::byte> bytes, BufferUse use, std::string_view what);

  // Room that the GPU fills; content undefined. Fails alike.
  Result<void> allocate(std::size_t sizeBytes, std::string_view what);

  void bind(int unit) const;
  Buffer& buffer() { return buffer_; }
  // Copies the first `bytes.size()` bytes back; waits for the GPU.
  void read(std::span<std::byte> bytes) const { buffer_.read(bytes); }
  // To be written by shaders.
  unsigned bufferName() { return buffer_.name(); }
  unsigned existingBufferName() const { return buffer_.existingName(); }
  std::size_t sizeBytes() const { return buffer_.sizeBytes(); }

 private:
  Result<void> checkSize(std::size_t sizeBytes, std::string_view what) const;
  void makeTexture();

  TexelKind kind_;
  Buffer buffer_;
  GlHandle texture_;
};

}  // namespace ck::render
