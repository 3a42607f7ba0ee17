#pragma once

#include <cstddef>
#include <vector>

#include "core/base/job.h"
#include "core/base/lane_path.h"
#include "core/container/clip_block.h"
#include "core/container/clip_model.h"

// The form of packed clips for poses (docs/ckatlas-packed.md, "rice"): numbers are predicted from
// the joint's parent and the frames before, eight joints at once in float, and what they differ by
// is coded with Rice's codes. Read by rice_reader.h.
namespace ck {

// Whether clips of this model have the form: poses with rotations in numbers of 8 or 16 bits.
bool hasRiceForm(const ClipModel& model);

// Packs a block, whose atlas has this model. Equal blocks give equal bytes, on both paths and
// however many threads the job has.
std::vector<std::byte> packRice(const ClipModel& model, const ClipBlock& block,
                                const JobContext& job, LanePath path = LanePath::Best);

}  // namespace ck
