#pragma once

namespace ck {

// The parts of the shader text of one atlas, in the order in which they build on each other. Parts
// are for larger shaders: they have no #version, no precision and no main. In fragment shaders of
// ES 3.00 `precision highp float; precision highp int;` must come before them.
enum class CrowdShaderPart {
  // Constants of the atlas and pure functions; no textures. Time law (ck_unitTime), address of a
  // texel (ck_atlasTexel), decoding, reading between frames, CkMatrix (three rows), ck_matrixPoint
  // and ck_matrixNormal (by cofactors; normalise the result).
  Common,
  // After Common. Textures ckAtlas and ckTable (the joint table, joint_table.h). CkMoment
  // ckMomentAt(clip, cycles); by the direct reading ckDirectMatrix(moment, joint) and
  // ckDirectSkin(moment, ivec4 joints, vec4 weights); by the relative reading
  // ckRelativeMatrix(CkShown, joint).
  // ckAtlas holds the texels as stored, row 0 of the raw file in row 0 of the texture, filter
  // nearest. Of 16-bit and 8-bit integers it is an integer texture (RGBA16UI, RGBA8UI) unless
  // CK_NORMALISED is defined before the text (RGBA16, RGBA8); WGSL has integer textures alone.
  Atlas,
  // After Atlas. Texture ckActors (shaders/export/actors.glsl describes its two texels per actor,
  // one after another, rows of any width). CkShown ckShownBy(actor, seconds), and
  // ckActorSkin(actor, joints, weights, seconds), which needs no palette.
  Actors,
  // After Common. Textures ckPaletteX, ckPaletteY and ckPaletteZ, one per matrix row, or ckPalette
  // where CK_PALETTE_ONE is defined. ckPaletteSkin(actor, joints, weights).
  // The other dialects than GLSL 3.30 and ES 3.00 read a buffer.
  Palette,
  // After Actors. The main of the pass that fills a palette. GLSL 3.30 and ES 3.00: the fragment
  // shader of a pass over a target of CK_JOINT_COUNT * columns x rows texels, RGBA32F: actor a lies
  // in column a / rows, row a % rows, and joint j of a column at x = column * CK_JOINT_COUNT + j.
  // Three targets, one per matrix row; or, where CK_PALETTE_ONE is defined, one target of three
  // times
  // that width, a joint's rows side by side. Uniforms: float ckSeconds; int ckActorCount; int
  // ckPaletteRows (rows). Other dialects: a compute shader.
  Fill,
};

}  // namespace ck
