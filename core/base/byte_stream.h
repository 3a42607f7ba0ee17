#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Writers and readers of flat little-endian bytes, for files and for the output of the import
// worker.
namespace ck {

// Appends numbers, strings and arrays of plain structs.
class ByteWriter {
 public:
  template <class Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
    append(&value, sizeof(value));
  }
  // The length in 32 bits, then the bytes.
  void text(std::string_view value);
  // The count in 64 bits, then the items, which are structs of numbers without padding.
  template <class Item>
  void array(const std::vector<Item>& items) {
    static_assert(std::is_trivially_copyable_v<Item>);
    number(static_cast<std::uint64_t>(items.size()));
    append(items.data(), items.size() * sizeof(Item));
  }
  // The bytes alone.
  void raw(std::span<const std::byte> bytes) { append(bytes.data(), bytes.size()); }
  // Prevents that the buffer grows by copies before it has that many bytes.
  void reserve(std::size_t count) { bytes_.reserve(count); }
  void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }
  // Overwrites bytes at `place`, which must exist already, with those of `other`.
  void overwrite(std::size_t place, const ByteWriter& other);

  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size);

  std::vector<std::byte> bytes_;
};

// Reads bytes that may be damaged or hostile. After the first invalid value the reader is bad and
// returns zeros and empty strings. Nothing is allocated that the remaining bytes could not fill.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  bool good() const { return good_; }
  bool atEnd() const { return good_ && left_.empty(); }
  std::size_t left() const { return left_.size(); }
  void setBad();

  template <class Number>
  Number number() {
    static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
    Number value{};
    copy(&value, sizeof(value));
    return value;
  }
  template <class Number>
  void read(Number& value) {
    value = number<Number>();
  }
  // A string of at most `longest` bytes.
  std::string text(std::size_t longest = std::numeric_limits<std::size_t>::max());
  // The number of following items of at least `smallestItem` bytes each, at most `most`. It is
  // stored as Count.
  template <std::unsigned_integral Count>
  std::size_t count(std::size_t smallestItem,
                    std::size_t most = std::numeric_limits<std::size_t>::max()) {
    return checkedCount(number<Count>(), smallestItem, most);
  }
  // An array that ByteWriter::array() wrote.
  template <class Item>
  std::vector<Item> array(std::size_t most = std::numeric_limits<std::size_t>::max()) {
    static_assert(std::is_trivially_copyable_v<Item>);
    std::vector<Item> items(count<std::uint64_t>(sizeof(Item), most));
    copy(items.data(), items.size() * sizeof(Item));
    return items;
  }
  // The next `count` bytes, or an empty span if fewer remain.
  std::span<const std::byte> take(std::uint64_t count);

 private:
  void copy(void* data, std::size_t size);
  std::size_t checkedCount(std::uint64_t value, std::size_t smallestItem, std::size_t most);

  std::span<const std::byte> left_;
  bool good_ = true;
};

}  // namespace ck
