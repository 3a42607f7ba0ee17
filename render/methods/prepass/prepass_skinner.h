#pragma once

#include "render/skinning/skinner.h"

namespace ck::render {

// Method `prepass`: fills the palette like the method palette, then skins every vertex once per
// tick. Each pass (shadow maps, ids, colour) then only draws. A vertex is one texel of a buffer
// texture, read by gl_VertexID. A study of llvmpipe found this as fast as vertex attributes with
// one command per actor (497 and 502 ms for a thousand actors; not repeated with this program). One
// command draws all actors, constant attributes stay with the character, and it runs on OpenGL 3.3.
//
// Actors at equal moments share vertices in model space if that halves the work; otherwise each
// actor has vertices in world space. With PoseSettings::updateEvery > 1 vertices are in model
// space, so that actors move in every frame although only some are posed again.
template <>
SkinnerResult skinnerOf<Method::Prepass>(const SkinnerInput& input);

// Method `palette`, skinned on the CPU or the GPU as SkinnerInput::skinOn asks. With SkinOn::Auto
// and software OpenGL, vertices are skinned on the CPU as long as there is memory.
template <>
SkinnerResult skinnerOf<Method::Palette>(const SkinnerInput& input);

}  // namespace ck::render
