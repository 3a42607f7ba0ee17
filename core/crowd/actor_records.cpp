#include "core/crowd/actor_records.h"

#include <atomic>

namespace ck {

std::uint64_t newStamp() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

int tint565(std::uint32_t tint) {
  const int red = static_cast<int>((tint >> 16) & 255);
  const int green = static_cast<int>((tint >> 8) & 255);
  const int blue = static_cast<int>(tint & 255);
  return (((red * 31 + 127) / 255) << 11) | (((green * 63 + 127) / 255) << 5) |
         ((blue * 31 + 127) / 255);
}

int withoutFade(int look) {
  return look & ~1023;
}

int repainted(int look, std::optional<int> tint565) {
  return tint565 ? (look & 0xffff) | (*tint565 << 16) : look;
}

}  // namespace ck
