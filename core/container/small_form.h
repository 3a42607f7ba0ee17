#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/container/clip_block.h"
#include "core/container/clip_model.h"

// The smallest form of packed clips (docs/ckatlas-packed.md, "small"): every number is predicted
// from the frames before and from the joint's parent, and what it differs by is coded.
namespace ck {

// Whether texels of this format have the form: all but 32-bit floats.
bool hasSmallForm(TexelFormat format);

// Packs a block; `model` and `format` are those of its atlas. Equal blocks give equal bytes. Empty
// if the model has slack and the block is none that roundToPredicted() makes.
std::vector<std::byte> packSmall(const ClipModel& model, TexelFormat format,
                                 const ClipBlock& block);

// Fills in the bytes of a block whose measures are set. False if `packed` was not made by
// packSmall() with such a model. Takes memory in proportion to the block.
bool unpackSmall(const ClipModel& model, TexelFormat format, std::span<const std::byte> packed,
                 ClipBlock& block);

// Rounds the numbers of a block as far as the model lets them be off, so that packSmall() codes
// fewer: most become what is predicted of them. The result depends on the frames before and on
// parent joints, so it is made clip by clip.
void roundToPredicted(const ClipModel& model, TexelFormat format, ClipBlock& block);

}  // namespace ck
