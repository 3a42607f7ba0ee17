#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

// The shape that a picture of texels must have.
struct TexelGrid {
  int width = 0;  // texels
  int height = 0;
  TexelFormat format = TexelFormat::Rgba16;
};
TexelGrid gridOf(const Atlas& atlas);
std::size_t bytesOf(const TexelGrid& grid);

// The texels of an atlas as image files. Equal input gives equal bytes. Reading fails with
// InvalidInput if the file is damaged, or has another size or other channels than `grid`.

// OpenEXR with four float channels, ZIP-compressed. Integers q are stored as q / 65535 or q / 255;
// rounding restores q exactly. Floats are stored unchanged. It cannot hold words of 32 bits.
std::string storedInExr(TexelFormat format);
Result<std::vector<std::byte>> exrBytes(const Atlas& atlas, const std::string& setId = {});
Result<std::vector<std::byte>> texelsFromExr(std::span<const std::byte> bytes,
                                             const TexelGrid& grid);

// PNG of 8 or 16 bits, RGBA, without gamma or colour space, because the values are not colours. It
// cannot hold floats, and no words of 32 bits.
std::string storedInPng(TexelFormat format);
Result<std::vector<std::byte>> pngBytes(const Atlas& atlas, const std::string& setId = {});
Result<std::vector<std::byte>> texelsFromPng(std::span<const std::byte> bytes,
                                             const TexelGrid& grid);

// The texels as they are in memory: little-endian, top row first, without a header.
std::string storedInRaw(TexelFormat format);
Result<std::vector<std::byte>> rawBytes(const Atlas& atlas, const std::string& setId = {});
Result<std::vector<std::byte>> texelsFromRaw(std::span<const std::byte> bytes,
                                             const TexelGrid& grid);

// A picture as PNG, RGBA of 8 bits. Fails with Internal.
Result<std::vector<std::byte>> pngBytes(const Image& image);

// The files of pictures that several files of an export hold: their own (Image::file), or a PNG
// that is made once. Pictures are told apart by their addresses and must outlive this. For one
// thread at a time.
class PictureFiles {
 public:
  // Makes those that are missing, side by side. Fails with Internal and Cancelled.
  Result<void> make(std::span<const Image* const> images, const JobContext& job);
  // One for which make() was called; mimeOfImage() says what it is.
  std::span<const std::byte> of(const Image& image) const;

 private:
  std::map<const Image*, std::vector<std::byte>> made_;
};

}  // namespace ck
