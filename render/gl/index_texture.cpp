#include "render/gl/index_texture.h"

#include <algorithm>

namespace ck::render {

Result<void> IndexTexture::set(std::span<const std::uint32_t> indices, std::string_view what) {
  uploadedBytes_ = 0;
  if (indices.empty() || std::ranges::equal(indices, indices_)) return {};
  indices_.clear();
  auto stored = texels_.upload(indices, BufferUse::Stream, what);
  if (!stored) return stored;
  indices_.assign(indices.begin(), indices.end());
  uploadedBytes_ = indices.size_bytes();
  return {};
}

}  // namespace ck::render
