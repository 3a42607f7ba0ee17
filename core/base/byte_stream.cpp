#include "core/base/byte_stream.h"

#include <bit>
#include <cstring>

namespace ck {

static_assert(std::endian::native == std::endian::little && sizeof(float) == 4 &&
                  sizeof(double) == 8,
              "numbers are stored as they lie in memory");

void ByteWriter::append(const void* data, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + size);
}

void ByteWriter::text(std::string_view value) {
  number(static_cast<std::uint32_t>(value.size()));
  append(value.data(), value.size());
}

void ByteWriter::overwrite(std::size_t place, const ByteWriter& other) {
  std::memcpy(bytes_.data() + place, other.bytes_.data(), other.bytes_.size());
}

void ByteReader::setBad() {
  good_ = false;
  left_ = {};
}

std::span<const std::byte> ByteReader::take(std::uint64_t count) {
  if (count > left_.size()) {
    setBad();
    return {};
  }
  const std::span<const std::byte> head = left_.first(static_cast<std::size_t>(count));
  left_ = left_.subspan(head.size());
  return head;
}

void ByteReader::copy(void* data, std::size_t size) {
  const std::span<const std::byte> head = take(size);
  if (!head.empty()) std::memcpy(data, head.data(), head.size());
}

std::size_t ByteReader::checkedCount(std::uint64_t value, std::size_t smallestItem,
                                     std::size_t most) {
  if (value <= most && value <= left_.size() / smallestItem) {
    return static_cast<std::size_t>(value);
  }
  setBad();
  return 0;
}

std::string ByteReader::text(std::size_t longest) {
  const auto size = number<std::uint32_t>();
  if (size > longest) setBad();
  const std::span<const std::byte> head = take(good_ ? size : 0);
  return {reinterpret_cast<const char*>(head.data()), head.size()};
}

}  // namespace ck
