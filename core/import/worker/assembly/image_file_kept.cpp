#include "core/import/worker/assembly/image_file_kept.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/scene/character.h"

namespace ck::worker {
namespace {

using Bytes = std::span<const std::uint8_t>;

std::size_t numberOf(Bytes bytes) {
  std::size_t number = 0;
  for (const std::uint8_t byte : bytes) number = number << 8 | byte;
  return number;
}

void append(std::vector<std::byte>& to, Bytes bytes) {
  const auto more = std::as_bytes(bytes);
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::byte> pngToKeep(Bytes file) {
  constexpr std::size_t kSignature = 8;
  constexpr std::size_t kFrame = 12;  // length, name and checksum of a chunk
  constexpr std::size_t kDepth = 16;  // from the chunk IHDR, which is the first
  constexpr std::array<std::string_view, 4> kKept = {"IHDR", "PLTE", "tRNS", "IDAT"};
  std::vector<std::byte> kept;
  kept.reserve(file.size());
  append(kept, file.first(kSignature));
  for (Bytes rest = file.subspan(kSignature); rest.size() >= kFrame;) {
    const std::size_t length = numberOf(rest.first(4));
    if (length > rest.size() - kFrame) return {};
    const Bytes chunk = rest.first(kFrame + length);
    const Bytes named = chunk.subspan(4, 4 + length);
    const std::string_view name(reinterpret_cast<const char*>(named.data()), 4);
    const auto sum = crc32(0, named.data(), static_cast<uInt>(named.size()));
    if (sum != numberOf(chunk.last(4))) return {};
    rest = rest.subspan(chunk.size());
    const bool isKept = std::ranges::find(kKept, name) != kKept.end();
    if (isKept || name == "IEND") append(kept, chunk);
    if (name == "IHDR" && (length <= 8 || chunk[kDepth] > 8)) return {};
    if (name == "IEND") return kept;
    const bool isNeeded = (named[0] & 0x20) == 0;
    if (isNeeded && !isKept) return {};
  }
  return {};
}

std::vector<std::byte> jpegToKeep(Bytes file) {
  constexpr std::uint8_t kComment = 0xfe;
  constexpr std::uint8_t kFirstApp = 0xe0;  // JFIF
  constexpr std::uint8_t kAdobe = 0xee;     // says what the colours are
  constexpr std::uint8_t kLastApp = 0xef;
  constexpr std::uint8_t kScan = 0xda;
  constexpr std::size_t kStart = 2;
  if (file.size() < 4 || file[file.size() - 2] != 0xff || file.back() != 0xd9) return {};
  std::vector<std::byte> kept;
  kept.reserve(file.size());
  append(kept, file.first(kStart));
  bool isPlain = false;  // 8 bits of grey or of three colours
  for (Bytes rest = file.subspan(kStart); rest.size() >= 4 && rest[0] == 0xff;) {
    const std::uint8_t marker = rest[1];
    if (marker == 0xff) {  // more of them may stand before a marker
      rest = rest.subspan(1);
      continue;
    }
    if (marker == kScan) {
      if (!isPlain) return {};
      append(kept, rest);
      return kept;
    }
    const std::size_t length = numberOf(rest.subspan(2, 2));
    if (length < 2 || length + 2 > rest.size()) return {};
    const Bytes segment = rest.first(length + 2);
    rest = rest.subspan(segment.size());
    if (marker >= 0xc0 && marker <= 0xc2) {
      isPlain = segment.size() > 9 && segment[4] == 8 && (segment[9] == 1 || segment[9] == 3);
    }
    const bool isApp = marker >= kFirstApp && marker <= kLastApp;
    const bool isShown = marker == kFirstApp || marker == kAdobe;
    if (marker != kComment && (!isApp || isShown)) append(kept, segment);
  }
  return {};
}

}  // namespace

std::vector<std::byte> fileToKeep(std::span<const std::byte> bytes) {
  const Bytes file(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const std::string_view mime = mimeOfImage(bytes);
  if (mime == "image/png") return pngToKeep(file);
  if (mime == "image/jpeg") return jpegToKeep(file);
  return {};
}

}  // namespace ck::worker
