#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/base/job.h"
#include "core/base/lane_path.h"
#include "core/container/clip_model.h"

// Reads what packRice() has packed (core/container/rice_form.h).
namespace ck {

// One clip of an atlas, and where its texels belong.
struct RiceClip {
  std::span<const std::byte> packed;
  // The bytes from here to the texels of each frame, in which those of all joints lie in a row.
  std::byte* texels = nullptr;
  std::vector<std::size_t> frames;
  // Set by unpackRice(): whether sizes add up and both streams have as many whole bytes as they are
  // read. If not, the texels are of no use.
  bool isRead = false;
};

// The model of one of several clips. Called on any thread.
using ModelOfClip = std::function<ClipModel(std::size_t index)>;

// Unpacks clips of one atlas, whose models differ in frames and ranges alone. Several clips are
// read side by side, because the joints of one rarely fill eight lanes. Takes memory in proportion
// to what is packed, and about a kilobyte for each joint of the pieces that are read at once.
void unpackRice(std::span<RiceClip> clips, const ModelOfClip& modelOf, const JobContext& job,
                LanePath path = LanePath::Best);

}  // namespace ck
