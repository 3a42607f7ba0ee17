#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace ck::fuzz {

using Bytes = std::vector<std::byte>;

// The input of a target as the readers take it.
inline Bytes bytesOf(const std::uint8_t* data, std::size_t size) {
  const auto* first = reinterpret_cast<const std::byte*>(data);
  return {first, first + size};
}

// The steps of changing structs, for targets that change what was read and write it again: indices
// and numbers out of range, lists that get longer, shorter or another order.
class StructMutation {
 public:
  explicit StructMutation(unsigned seed) : random_(seed) {}

 protected:
  std::size_t below(std::size_t end) { return random_() % end; }
  int index() {
    static constexpr std::array kIndices = {-2, -1, 0, 1, 2, 3, 7, 255, 65'536, 1 << 30};
    return kIndices[below(kIndices.size())];
  }
  double number() {
    static constexpr std::array kNumbers = {0.0,
                                            1.0,
                                            -1.0,
                                            0.5,
                                            1e-9,
                                            1e9,
                                            -1e14,
                                            3.0e38,
                                            1e300,
                                            -1e300,
                                            std::numeric_limits<double>::quiet_NaN()};
    return kNumbers[below(kNumbers.size())];
  }
  // An entry of the list, or null.
  template <class Item>
  Item* any(std::vector<Item>& items) {
    return items.empty() ? nullptr : &items[below(items.size())];
  }
  template <class Item>
  void resize(std::vector<Item>& items) {
    items.resize(below(items.size() + 3));
  }
  // One goes, comes twice, or changes its place.
  template <class Item>
  void changeOrder(std::vector<Item>& items) {
    if (items.empty()) return;
    const std::size_t at = below(items.size());
    const Item item = items[at];
    if (below(3) == 0) items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
    if (below(2) == 0) items.insert(items.begin(), item);
  }

  std::mt19937 random_;
};

}  // namespace ck::fuzz
