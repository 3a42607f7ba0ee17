#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/base/result.h"
#include "render/gl/handle.h"

namespace ck::render {

// How often the bytes change.
enum class BufferUse { Static, Stream };

// A buffer object for vertices, indices, instances or texels.
class Buffer {
 public:
  // Replaces the content. The GL name does not change, so vertex arrays that refer to it stay
  // valid. Fails with LimitExceeded if the driver has no memory; `what` names the content in the
  // message, e.g. "the actors".
  Result<void> upload(std::span<const std::byte> bytes, BufferUse use, std::string_view what);

  // Allocates `sizeBytes` for the GPU to write. The content is undefined.
  Result<void> allocate(std::size_t sizeBytes, std::string_view what);

  // Reads back the first `bytes.size()` bytes. Waits for the GPU.
  void read(std::span<std::byte> bytes) const;

  // Maps a part of the buffer for writing by the CPU; empty if the driver has no memory. Unwritten
  // bytes are undefined unless `kept`. The buffer must not be used before unmap().
  std::span<std::byte> mapToWrite(std::size_t offset, std::size_t sizeBytes, bool kept);
  void unmap();

  // Generates the GL name on first use.
  unsigned name();
  unsigned existingName() const { return handle_.name(); }  // 0 if there is none yet
  std::size_t sizeBytes() const { return sizeBytes_; }

 private:
  GlHandle handle_;
  std::size_t sizeBytes_ = 0;
};

enum class TexelKind { Rgba32F, R32I, Rgba32I, R32F };

// A buffer that shaders read through texelFetch.
class BufferTexture {
 public:
  explicit BufferTexture(TexelKind kind = TexelKind::Rgba32F) : kind_(kind) {}

  // Fails with LimitExceeded also if there are more texels than GL_MAX_TEXTURE_BUFFER_SIZE.
  Result<void> upload(std::span<const std::byte> bytes, BufferUse use, std::string_view what);

  // Allocates memory for the GPU to write; the content is undefined. Fails like upload().
  Result<void> allocate(std::size_t sizeBytes, std::string_view what);

  void bind(int unit) const;
  Buffer& buffer() { return buffer_; }
  // Reads back the first `bytes.size()` bytes. Waits for the GPU.
  void read(std::span<std::byte> bytes) const { buffer_.read(bytes); }
  // For shaders that write the buffer.
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
