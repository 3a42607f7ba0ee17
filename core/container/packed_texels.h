#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/container/clip_block.h"

// The packed texels of an atlas, clip by clip (docs/ckatlas-packed.md).
namespace ck {

// The form of one packed clip, as files number them.
enum class ClipForm {
  Planes,  // numbers of any kind
  Rice,    // poses, predicted by one of a few rules and coded with Rice's codes
};
inline constexpr int kClipForms = 2;

struct PackedClip {
  ClipForm form = ClipForm::Planes;
  std::vector<std::byte> bytes;
};
// The same, within a file.
struct PackedSpan {
  ClipForm form = ClipForm::Planes;
  std::span<const std::byte> bytes;
};

// Packs every clip; the atlas must have its texels. The result does not depend on the number of
// threads (0: all cores).
std::vector<PackedClip> packTexels(const Atlas& atlas, int threadCount);

// Fills in the texels of an atlas, which must have their size and be zero, from one packed form for
// each clip. Returns the first clip that cannot be unpacked, if there is one. Takes memory in
// proportion to the texels.
std::optional<std::size_t> unpackTexels(std::span<const PackedSpan> packed, Atlas& atlas);

}  // namespace ck
