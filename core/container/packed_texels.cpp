#include "core/container/packed_texels.h"

#include <algorithm>
#include <utility>

#include "core/base/assert.h"
#include "core/base/parallel_for.h"
#include "core/container/plane_form.h"
#include "core/container/rice_form.h"
#include "core/container/rice_reader.h"

namespace ck {
namespace {

JobContext onThreads(int threadCount) {
  JobContext job;
  job.threadCount = threadCount;
  return job;
}

// Threads share the clips, or the frames of a clip that is alone.
JobContext within(std::size_t clips, int threadCount) {
  return onThreads(clips == 1 ? threadCount : 1);
}

// Numbers that no rule predicts go into planes, which cannot grow.
PackedClip packClip(const Atlas& atlas, std::size_t clip, const JobContext& job) {
  const ClipBlock block = takeBlock(atlas, clip);
  const ClipModel model = clipModel(atlas, clip);
  if (hasRiceForm(model)) {
    PackedClip packed = {ClipForm::Rice, packRice(model, block, job)};
    if (packed.bytes.size() < block.size()) return packed;
  }
  return {ClipForm::Planes, packPlanes(block)};
}

bool unpackPlanesOf(const PackedSpan& packed, std::size_t clip, Atlas& atlas) {
  ClipBlock block = blockShape(atlas, clip);
  if (!unpackPlanes(packed.bytes, block)) return false;
  putBlock(block, clip, atlas);
  return true;
}

// The clips that are packed in rice, if there are any.
void unpackRiceClips(std::span<const PackedSpan> packed, std::span<const std::size_t> chosen,
                     Atlas& atlas, std::span<char> isGood) {
  if (chosen.empty() || !hasRiceForm(clipModel(atlas, chosen.front()))) return;
  std::vector<RiceClip> clips;
  for (const std::size_t clip : chosen) {
    clips.push_back({packed[clip].bytes, atlas.texels.data(), frameOffsets(atlas, clip)});
  }
  const auto modelOf = [&](std::size_t index) { return clipModel(atlas, chosen[index]); };
  unpackRice(clips, modelOf, onThreads(0));
  for (std::size_t i = 0; i < clips.size(); ++i) isGood[chosen[i]] = clips[i].isRead ? 1 : 0;
}

}  // namespace

std::vector<PackedClip> packTexels(const Atlas& atlas, int threadCount) {
  std::vector<PackedClip> packed(atlas.clips.size());
  const JobContext job = within(packed.size(), threadCount);
  parallelFor(packed.size(), onThreads(threadCount),
              [&](std::size_t clip) { packed[clip] = packClip(atlas, clip, job); });
  return packed;
}

std::optional<std::size_t> unpackTexels(std::span<const PackedSpan> packed, Atlas& atlas) {
  CK_ASSERT(packed.size() == atlas.clips.size() && atlas.texels.size() == texelBytesOf(atlas));
  std::vector<char> isGood(packed.size(), 0);
  std::vector<std::size_t> inRice;
  std::vector<std::size_t> others;
  for (std::size_t clip = 0; clip < packed.size(); ++clip) {
    (packed[clip].form == ClipForm::Rice ? inRice : others).push_back(clip);
  }
  unpackRiceClips(packed, inRice, atlas, isGood);
  parallelFor(others.size(), onThreads(0), [&](std::size_t index) {
    const std::size_t clip = others[index];
    isGood[clip] = unpackPlanesOf(packed[clip], clip, atlas) ? 1 : 0;
  });
  const auto broken = std::ranges::find(isGood, 0);
  if (broken == isGood.end()) return std::nullopt;
  return static_cast<std::size_t>(broken - isGood.begin());
}

}  // namespace ck
