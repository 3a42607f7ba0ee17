#include "core/import/worker/assembly/ktx2_decode.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/byte_stream.h"

namespace ck::worker {
namespace {

constexpr std::string_view kMark("\xABKTX 20\xBB\r\n\x1A\n", 12);
constexpr std::uint32_t kMostPixels = 8'192;  // on a side
constexpr std::uint32_t kMostLevels = 32;

// The forms that are read: VkFormat with its channels, from which red, green, blue and alpha are
// taken (-1: 255).
struct Form {
  std::uint32_t vkFormat;
  std::size_t channels;
  std::array<int, 4> from;
};
constexpr Form kForms[] = {
    {9, 1, {0, 0, 0, -1}},   // R8_UNORM
    {15, 1, {0, 0, 0, -1}},  // R8_SRGB
    {23, 3, {0, 1, 2, -1}},  // R8G8B8_UNORM
    {29, 3, {0, 1, 2, -1}},  // R8G8B8_SRGB
    {30, 3, {2, 1, 0, -1}},  // B8G8R8_UNORM
    {36, 3, {2, 1, 0, -1}},  // B8G8R8_SRGB
    {37, 4, {0, 1, 2, 3}},   // R8G8B8A8_UNORM
    {43, 4, {0, 1, 2, 3}},   // R8G8B8A8_SRGB
    {44, 4, {2, 1, 0, 3}},   // B8G8R8A8_UNORM
    {50, 4, {2, 1, 0, 3}},   // B8G8R8A8_SRGB
};

enum Packing : std::uint32_t { kPlain = 0, kBasisLz = 1, kZstandard = 2, kZlib = 3 };

struct Header {
  std::uint32_t vkFormat = 0, typeSize = 0, width = 0, height = 0, depth = 0, layers = 0, faces = 0,
                levels = 0, packing = 0, descriptorOffset = 0, descriptorLength = 0;
};

struct Level {
  std::uint64_t offset = 0, length = 0, unpackedLength = 0;
};

tl::unexpected<Error> refuse(ErrorCode code, const std::string& name, std::string_view why) {
  return fail(code, fmt::format("picture '{}' {}", name, why));
}

// Which of Basis Universal's two forms a texture without VkFormat has, by the colour model of its
// data format descriptor; empty for another.
std::string_view basisForm(std::span<const std::byte> bytes, const Header& header) {
  if (header.packing == kBasisLz) return "ETC1S";
  constexpr std::size_t kColorModel = 12;
  if (header.descriptorLength <= kColorModel || header.descriptorOffset > bytes.size() ||
      bytes.size() - header.descriptorOffset <= kColorModel) {
    return {};
  }
  const auto model = std::to_integer<unsigned>(bytes[header.descriptorOffset + kColorModel]);
  return model == 163 ? "ETC1S" : model == 166 ? "UASTC" : std::string_view();
}

Result<Form> formOf(std::span<const std::byte> bytes, const Header& header,
                    const std::string& name) {
  if (const std::string_view basis = basisForm(bytes, header); !basis.empty()) {
    return refuse(ErrorCode::Unsupported, name,
                  fmt::format("is a KTX2 packed by Basis Universal ({}), which is not read; export "
                              "the textures as PNG, JPEG or WebP (gltfpack without -tc)",
                              basis));
  }
  for (const Form& form : kForms) {
    if (form.vkFormat == header.vkFormat) return form;
  }
  return refuse(ErrorCode::Unsupported, name,
                fmt::format("is a KTX2 of VkFormat {}, which is not read; export the textures as "
                            "PNG, JPEG or WebP",
                            header.vkFormat));
}

Result<std::vector<std::uint8_t>> texelsOf(std::span<const std::byte> packed, std::uint32_t packing,
                                           std::size_t size, const std::string& name) {
  const auto damaged = [&name] {
    return refuse(ErrorCode::InvalidInput, name, "is a damaged KTX2");
  };
  if (packing == kPlain && packed.size() < size) return damaged();
  std::vector<std::uint8_t> texels(
      size);  // of at most 256 MB, which one colour packs to a few bytes
  if (packing == kPlain) {
    std::memcpy(texels.data(), packed.data(), size);
  } else if (packing == kZstandard) {
    const std::size_t got = ZSTD_decompress(texels.data(), size, packed.data(), packed.size());
    if (ZSTD_isError(got) != 0 || got != size) return damaged();
  } else {
    uLongf got = size;
    const auto* first = reinterpret_cast<const Bytef*>(packed.data());
    if (uncompress(texels.data(), &got, first, packed.size()) != Z_OK || got != size) {
      return damaged();
    }
  }
  return texels;
}

}  // namespace

bool isKtx2(std::span<const std::byte> bytes) {
  return bytes.size() >= kMark.size() && std::memcmp(bytes.data(), kMark.data(), kMark.size()) == 0;
}

Result<Image> decodeKtx2(std::span<const std::byte> bytes, std::string name) {
  ByteReader in(bytes);
  in.take(kMark.size());
  Header header;
  for (std::uint32_t* field :
       {&header.vkFormat, &header.typeSize, &header.width, &header.height, &header.depth,
        &header.layers, &header.faces, &header.levels, &header.packing, &header.descriptorOffset,
        &header.descriptorLength}) {
    in.read(*field);
  }
  in.take(4 + 4 + 8 + 8);  // where keys and global data are
  if (!in.good() || header.width == 0 || header.height == 0 || header.levels > kMostLevels) {
    return refuse(ErrorCode::InvalidInput, name, "is a damaged KTX2");
  }
  if (header.depth > 0 || header.layers > 1 || header.faces != 1) {
    return refuse(ErrorCode::Unsupported, name,
                  "is a KTX2 with several layers or faces; only plain pictures are read");
  }
  const auto form = formOf(bytes, header, name);
  if (!form) return tl::unexpected(form.error());
  if (header.packing > kZlib) {
    return refuse(ErrorCode::Unsupported, name,
                  fmt::format("is a KTX2 packed in the unknown way {}", header.packing));
  }
  for (std::uint32_t l = 0; l < std::max(header.levels, 1u); ++l) {
    Level level;
    in.read(level.offset);
    in.read(level.length);
    in.read(level.unpackedLength);
    const std::uint32_t width = std::max(header.width >> l, 1u);
    const std::uint32_t height = std::max(header.height >> l, 1u);
    if (in.good() && (width > kMostPixels || height > kMostPixels)) continue;
    const std::size_t size = std::size_t{width} * height * form->channels;
    if (!in.good() || level.offset > bytes.size() || level.length > bytes.size() - level.offset) {
      return refuse(ErrorCode::InvalidInput, name, "is a KTX2 that is cut short");
    }
    if (header.packing != kPlain && level.unpackedLength != size) {
      return refuse(ErrorCode::InvalidInput, name, "is a damaged KTX2");
    }
    const auto texels =
        texelsOf(bytes.subspan(level.offset, level.length), header.packing, size, name);
    if (!texels) return tl::unexpected(texels.error());
    Image image;
    image.name = std::move(name);
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
    image.rgba.reserve(std::size_t{width} * height * 4);
    for (std::size_t at = 0; at < size; at += form->channels) {
      for (const int channel : form->from) {
        image.rgba.push_back(channel < 0 ? 255 : (*texels)[at + std::size_t(channel)]);
      }
    }
    return image;
  }
  return refuse(
      ErrorCode::LimitExceeded, name,
      fmt::format("has {} x {} pixels, more than 8192 x 8192", header.width, header.height));
}

}  // namespace ck::worker
