#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Writing and reading of flat little-endian bytes, for characterToBytes and characterFromBytes.
namespace ck::blob {

static_assert(sizeof(float) == 4 && sizeof(double) == 8);

// Appends numbers, texts and arrays of plain numbers.
class Writer {
 public:
  template <class Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    raw(&value, sizeof(value));
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    raw(value.data(), value.size());
  }
  // `Item` is a plain struct of numbers without gaps.
  template <class Item>
  void array(const std::vector<Item>& items) {
    static_assert(std::is_trivially_copyable_v<Item>);
    number(static_cast<std::uint64_t>(items.size()));
    raw(items.data(), items.size() * sizeof(Item));
  }
  std::size_t size() const { return bytes_.size(); }
  // Puts the bytes of `other` over those at `place`, which must be there already.
  void overwrite(std::size_t place, const Writer& other) {
    std::memcpy(bytes_.data() + place, other.bytes_.data(), other.bytes_.size());
  }
  void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> bytes_;
};

// Reads what Writer wrote from bytes that nobody vouches for. After the first value that does not
// fit it is bad and hands out zeros; nothing is allocated that the bytes left could not fill.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : left_(bytes) {}

  bool good() const { return good_; }
  bool atEnd() const { return good_ && left_.empty(); }
  void setBad() { good_ = false; }

  template <class Number>
  Number number() {
    static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
    Number value{};
    raw(&value, sizeof(value));
    return value;
  }
  // At most `longest` bytes.
  std::string text(std::size_t longest);
  // How many items of at least `smallestItem` bytes follow, at most `most`.
  std::size_t count(std::size_t smallestItem, std::size_t most);

  template <class Item>
  std::vector<Item> array(std::size_t most) {
    static_assert(std::is_trivially_copyable_v<Item>);
    std::vector<Item> items(count(sizeof(Item), most));
    raw(items.data(), items.size() * sizeof(Item));
    return items;
  }

 private:
  void raw(void* data, std::size_t size);

  std::span<const std::byte> left_;
  bool good_ = true;
};

}  // namespace ck::blob
