#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/base/job.h"
#include "core/base/lane_path.h"
#include "core/container/clip_block.h"
#include "core/container/clip_model.h"

// The form of packed clips that is nearly as small as the smallest and read many times faster
// (docs/ckatlas-packed.md, "rice"): numbers are predicted from the joint's parent and the frames
// before, eight joints at once in float, and what they differ by is coded with Rice's codes.
namespace ck {

// Whether clips of this model have the form: poses with rotations in numbers of 8 or 16 bits.
bool hasRiceForm(const ClipModel& model);

// Packs a block, whose atlas has this model. Equal blocks give equal bytes, on both paths and
// however many threads the job has.
std::vector<std::byte> packRice(const ClipModel& model, const ClipBlock& block,
                                const JobContext& job, LanePath path = LanePath::Best);

// One clip of an atlas, and where its texels belong.
struct RiceClip {
  std::span<const std::byte> packed;
  // From here on: where the texels of each frame are, in which those of all joints lie side by
  // side.
  std::byte* texels = nullptr;
  std::vector<std::size_t> frames;
  // Set by unpackRice(): whether `packed` was made by packRice() with such a model. If not, the
  // texels are of no use.
  bool isRead = false;
};

// The model of one of several clips. Called on any thread.
using ModelOfClip = std::function<ClipModel(std::size_t index)>;

// Unpacks clips of one atlas, whose models differ in frames and ranges alone. Several clips are
// read side by side, because the joints of one rarely fill eight lanes. Takes memory in proportion
// to what is packed.
void unpackRice(std::span<RiceClip> clips, const ModelOfClip& modelOf, const JobContext& job,
                LanePath path = LanePath::Best);

}  // namespace ck
