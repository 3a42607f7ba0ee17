#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "render/gl/buffer.h"

namespace ck::render {

// A list of indices that shaders read by texelFetch. It is uploaded only where it has changed.
class IndexTexture {
 public:
  // `what` as of Buffer::upload(). Fails as that does. An empty list needs no upload and must not
  // be read.
  Result<void> set(std::span<const std::uint32_t> indices, std::string_view what);

  void bind(int unit) const { texels_.bind(unit); }
  std::size_t uploadedBytes() const { return uploadedBytes_; }  // by the last set()

 private:
  BufferTexture texels_{TexelKind::R32I};
  std::vector<std::uint32_t> indices_;  // in the texture
  std::size_t uploadedBytes_ = 0;
};

}  // namespace ck::render
