#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Flat little-endian bytes, for files and for what the import worker sends.
namespace ck {

// Appends numbers, texts and arrays of plain numbers.
class ByteWriter {
 public:
  template <class Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
    append(&value, sizeof(value));
  }
  // The length in 32 bits, then the bytes.
  void text(std::string_view value);
  // The count in 64 bits, then the items: plain structs of numbers without gaps.
  template <class Item>
  void array(const std::vector<Item>& items) {
    static_assert(std::is_trivially_copyable_v<Item>);
    number(static_cast<std::uint64_t>(items.size()));
    append(items.data(), items.size() * sizeof(Item));
  }
  void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }
  // Puts the bytes of `other` over those at `place`, which must be there already.
  void overwrite(std::size_t place, const ByteWriter& other);

  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size);

  std::vector<std::byte> bytes_;
};

// Reads bytes that may be damaged or hostile. After the first value that does not fit it is bad and
// returns zeros and empty texts. It allocates no more than the bytes left could fill.
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
  // At most `longest` bytes.
  std::string text(std::size_t longest = std::numeric_limits<std::size_t>::max());
  // How many items of at least `smallestItem` bytes follow, at most `most`. The count itself is
  // stored as Count.
  template <std::unsigned_integral Count>
  std::size_t count(std::size_t smallestItem,
                    std::size_t most = std::numeric_limits<std::size_t>::max()) {
    return checkedCount(number<Count>(), smallestItem, most);
  }
  // What ByteWriter::array wrote.
  template <class Item>
  std::vector<Item> array(std::size_t most = std::numeric_limits<std::size_t>::max()) {
    static_assert(std::is_trivially_copyable_v<Item>);
    std::vector<Item> items(count<std::uint64_t>(sizeof(Item), most));
    copy(items.data(), items.size() * sizeof(Item));
    return items;
  }
  // The next `count` bytes, or none where there are fewer.
  std::span<const std::byte> take(std::uint64_t count);

 private:
  void copy(void* data, std::size_t size);
  std::size_t checkedCount(std::uint64_t value, std::size_t smallestItem, std::size_t most);

  std::span<const std::byte> left_;
  bool good_ = true;
};

}  // namespace ck
