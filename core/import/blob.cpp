#include "core/import/blob.h"

#include <bit>

namespace ck::blob {

static_assert(std::endian::native == std::endian::little,
              "the form on disk and in the pipe is little-endian");

void Cursor::raw(void* data, std::size_t size) {
  if (!good_ || size > left_.size()) {
    good_ = false;
    return;
  }
  if (size == 0) return;
  std::memcpy(data, left_.data(), size);
  left_ = left_.subspan(size);
}

std::size_t Cursor::count(std::size_t smallestItem, std::size_t most) {
  const std::uint64_t value = number<std::uint64_t>();
  if (!good_ || value > most || value > left_.size() / smallestItem) {
    good_ = false;
    return 0;
  }
  return static_cast<std::size_t>(value);
}

std::string Cursor::text(std::size_t longest) {
  const std::uint32_t size = number<std::uint32_t>();
  if (!good_ || size > longest || size > left_.size()) {
    good_ = false;
    return {};
  }
  std::string value(size, '\0');
  raw(value.data(), size);
  return value;
}

}  // namespace ck::blob
