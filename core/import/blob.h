#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Writers and readers of flat little-endian bytes, used by characterToBytes() and
// characterFromBytes().
namespace ck::blob {

static_assert(sizeof(float) == 4 && sizeof(double) == 8);

// Appends numbers, strings and arrays of plain structs.
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
  // `Item` is a struct of numbers without padding.
  template <class Item>
  void array(const std::vector<Item>& items) {
    static_assert(std::is_trivially_copyable_v<Item>);
    number(static_cast<std::uint64_t>(items.size()));
    raw(items.data(), items.size() * sizeof(Item));
  }
  std::size_t size() const { return bytes_.size(); }
  // Overwrites bytes at `place`, which must exist already, with those of `other`.
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

// Reads what Writer wrote, from untrusted bytes. After the first invalid value the cursor is bad
// and returns zeros. Nothing is allocated that the remaining bytes could not fill.
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
  // A string of at most `longest` bytes.
  std::string text(std::size_t longest);
  // The number of following items of at least `smallestItem` bytes each, at most `most`.
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
