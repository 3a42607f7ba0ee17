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
  // Replaces the content by a contiguous range. The GL name does not change, so vertex arrays that
  // refer to it stay valid. Fails with LimitExceeded if the driver has no memory; `what` names the
  // content in the message, e.g. "the actors".
  template <class Values>
  Result<void> upload(const Values& values, BufferUse use, std::string_view what) {
    return uploadBytes(std::as_bytes(std::span(values)), use, what);
  }
  // Replaces a part of the content, from `offset` bytes on.
  template <class Values>
  void uploadPart(std::size_t offset, const Values& values) {
    uploadPartBytes(offset, std::as_bytes(std::span(values)));
  }
  // Allocates `sizeBytes` for the GPU to write. The content is undefined.
  Result<void> allocate(std::size_t sizeBytes, std::string_view what);

  // Reads back as many bytes as `values` has. Waits for the GPU.
  template <class Values>
  void read(Values&& values) const {
    readBytes(std::as_writable_bytes(std::span(values)));
  }

  // Maps a part of the buffer for writing by the CPU; empty if the driver has no memory. Unwritten
  // bytes are undefined unless `kept`. The buffer must not be used before unmap().
  std::span<std::byte> mapToWrite(std::size_t offset, std::size_t sizeBytes, bool kept);
  void unmap();

  // Generates the GL name on first use.
  unsigned name() const;
  std::size_t sizeBytes() const { return sizeBytes_; }

 private:
  Result<void> uploadBytes(std::span<const std::byte> bytes, BufferUse use, std::string_view what);
  void uploadPartBytes(std::size_t offset, std::span<const std::byte> bytes);
  void readBytes(std::span<std::byte> bytes) const;

  mutable GlHandle handle_;
  std::size_t sizeBytes_ = 0;
};

enum class TexelKind { Rgba32F, R32I, Rgba32I, R32F };

// A buffer that shaders read through texelFetch.
class BufferTexture : public Buffer {
 public:
  explicit BufferTexture(TexelKind kind = TexelKind::Rgba32F) : kind_(kind) {}

  // As Buffer has them. Both fail with LimitExceeded also if there are more texels than
  // GL_MAX_TEXTURE_BUFFER_SIZE.
  template <class Values>
  Result<void> upload(const Values& values, BufferUse use, std::string_view what) {
    if (auto fits = checkSize(std::span(values).size_bytes(), what); !fits) return fits;
    return textured(Buffer::upload(values, use, what));
  }
  Result<void> allocate(std::size_t sizeBytes, std::string_view what);

  void bind(int unit) const;

 private:
  Result<void> checkSize(std::size_t sizeBytes, std::string_view what) const;
  // Makes the texture on first use, once the buffer is `stored`.
  Result<void> textured(Result<void> stored);

  TexelKind kind_;
  GlHandle texture_;
};

}  // namespace ck::render
