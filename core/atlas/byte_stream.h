#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ck {

// Appends little-endian values to a byte vector.
class ByteWriter {
 public:
  template <std::unsigned_integral Value>
  void put(Value value) {
    for (std::size_t i = 0; i < sizeof(Value); ++i) {
      bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xff));
    }
  }
  void put(std::int32_t value) { put(static_cast<std::uint32_t>(value)); }
  void put(float value) { put(std::bit_cast<std::uint32_t>(value)); }
  void put(double value) { put(std::bit_cast<std::uint64_t>(value)); }
  // A 32-bit length, then the bytes.
  void put(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    put(std::as_bytes(std::span(text.data(), text.size())));
  }
  void put(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  // Overwrites eight bytes at `offset`.
  void patch(std::size_t offset, std::uint64_t value) {
    for (std::size_t i = 0; i < sizeof(value); ++i) {
      bytes_[offset + i] = static_cast<std::byte>((value >> (8 * i)) & 0xff);
    }
  }

  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// Reads the values back. After the first read beyond the end, all reads return 0 and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t left() const { return bytes_.size(); }

  template <std::unsigned_integral Value>
  void get(Value& value) {
    value = 0;
    const std::span<const std::byte> raw = take(sizeof(Value));
    for (std::size_t i = 0; i < raw.size(); ++i) {
      value = static_cast<Value>(value | (static_cast<Value>(raw[i]) << (8 * i)));
    }
  }
  void get(std::int32_t& value) { value = static_cast<std::int32_t>(got<std::uint32_t>()); }
  void get(float& value) { value = std::bit_cast<float>(got<std::uint32_t>()); }
  void get(double& value) { value = std::bit_cast<double>(got<std::uint64_t>()); }
  void get(std::string& text) {
    const std::span<const std::byte> raw = take(got<std::uint32_t>());
    text.assign(reinterpret_cast<const char*>(raw.data()), raw.size());
  }

  template <class Value>
  Value got() {
    Value value{};
    get(value);
    return value;
  }

  // The next `count` bytes, or an empty span if fewer remain.
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > bytes_.size()) {
      ok_ = false;
      bytes_ = {};
      return {};
    }
    const std::span<const std::byte> head = bytes_.first(static_cast<std::size_t>(count));
    bytes_ = bytes_.subspan(static_cast<std::size_t>(count));
    return head;
  }

  // Reads a count of entries that have at least `smallestSize` bytes each. A count that the
  // remaining bytes cannot hold is refused before anything is allocated.
  std::size_t count(std::size_t smallestSize) {
    const auto value = got<std::uint32_t>();
    if (value > bytes_.size() / smallestSize) {
      ok_ = false;
      bytes_ = {};
      return 0;
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

}  // namespace ck
