#include "core/container/packed_texels.h"

#include <algorithm>
#include <utility>

#include "core/base/assert.h"
#include "core/base/parallel_for.h"
#include "core/container/fast_form.h"
#include "core/container/small_form.h"

namespace ck {
namespace {

JobContext onThreads(int threadCount) {
  JobContext job;
  job.threadCount = threadCount;
  return job;
}

PackedClip packClip(const Atlas& atlas, std::size_t clip, Pack pack) {
  const ClipBlock block = takeBlock(atlas, clip);
  PackedClip packed = {ClipForm::Fast, packFast(block)};
  const TexelFormat format = numberFormat(atlas);
  if (pack != Pack::Small || !hasSmallForm(format)) return packed;
  ClipForm form = ClipForm::Stepped;
  std::vector<std::byte> small;
  if (!atlas.compactReach.empty()) {
    small = packSmall(clipModel(atlas, clip, true), format, block);
  }
  if (small.empty()) {
    form = ClipForm::Small;
    small = packSmall(clipModel(atlas, clip), format, block);
  }
  if (small.size() < packed.bytes.size()) packed = {form, std::move(small)};
  return packed;
}

bool unpackClip(const PackedSpan& packed, std::size_t clip, Atlas& atlas) {
  ClipBlock block = blockShape(atlas, clip);
  const TexelFormat format = numberFormat(atlas);
  if (packed.form == ClipForm::Fast) {
    if (!unpackFast(packed.bytes, block)) return false;
  } else {
    const bool compact = packed.form == ClipForm::Stepped;
    if (!hasSmallForm(format) || (compact && atlas.compactReach.empty())) return false;
    if (!unpackSmall(clipModel(atlas, clip, compact), format, packed.bytes, block)) return false;
  }
  putBlock(block, clip, atlas);
  return true;
}

}  // namespace

std::vector<PackedClip> packTexels(const Atlas& atlas, Pack pack, int threadCount) {
  CK_ASSERT(pack != Pack::None);
  std::vector<PackedClip> packed(atlas.clips.size());
  parallelFor(packed.size(), onThreads(threadCount),
              [&](std::size_t clip) { packed[clip] = packClip(atlas, clip, pack); });
  return packed;
}

std::optional<std::size_t> unpackTexels(std::span<const PackedSpan> packed, Atlas& atlas) {
  CK_ASSERT(packed.size() == atlas.clips.size() && atlas.texels.size() == texelBytesOf(atlas));
  std::vector<char> isGood(packed.size(), 0);
  parallelFor(packed.size(), onThreads(0), [&](std::size_t clip) {
    isGood[clip] = unpackClip(packed[clip], clip, atlas) ? 1 : 0;
  });
  const auto broken = std::ranges::find(isGood, 0);
  if (broken == isGood.end()) return std::nullopt;
  return static_cast<std::size_t>(broken - isGood.begin());
}

Pack packOf(std::span<const PackedSpan> packed) {
  const auto isSmall = [](const PackedSpan& clip) { return clip.form != ClipForm::Fast; };
  return std::ranges::any_of(packed, isSmall) ? Pack::Small : Pack::Fast;
}

}  // namespace ck
