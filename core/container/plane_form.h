#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/container/clip_block.h"

// The form of packed clips for numbers of any kind (docs/ckatlas-packed.md, "planes"): what
// changes from frame to frame, compressed by zstd.
namespace ck {

// Packs a block. Equal blocks give equal bytes with one version of zstd.
std::vector<std::byte> packPlanes(const ClipBlock& block);

// Fills in the bytes of a block whose measures are set. False if `packed` is no such block; then
// no more memory was taken than the block's size.
bool unpackPlanes(std::span<const std::byte> packed, ClipBlock& block);

}  // namespace ck
