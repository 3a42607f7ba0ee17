// Reads the skin matrix rows of a palette. CK_PALETTE_TARGETS: from three textures instead of a
// buffer. CK_PALETTE_STORAGE: from a storage buffer instead of a buffer texture; then this file
// must be included first, because it requires an extension (part of OpenGL 4.3).
#ifdef CK_PALETTE_STORAGE
#extension GL_ARB_shader_storage_buffer_object : require
layout(std430) readonly buffer CkPaletteRows { vec4 ckPaletteRows[]; };
vec4 ckPaletteRow(int at) { return ckPaletteRows[at]; }
#elif CK_PALETTE_TARGETS
uniform sampler2D ckPaletteX;
uniform sampler2D ckPaletteY;
uniform sampler2D ckPaletteZ;
uniform int ckSlotRows;
#else
uniform samplerBuffer ckPalette;
vec4 ckPaletteRow(int at) { return texelFetch(ckPalette, at); }
#endif
uniform int ckJointCount;

struct CkRows {
  vec4 x;
  vec4 y;
  vec4 z;
};

CkRows ckRowsOf(int slot, int joint) {
  CkRows rows;
#if CK_PALETTE_TARGETS
  ivec2 at = ivec2(slot / ckSlotRows * ckJointCount + joint, slot % ckSlotRows);
  rows.x = texelFetch(ckPaletteX, at, 0);
  rows.y = texelFetch(ckPaletteY, at, 0);
  rows.z = texelFetch(ckPaletteZ, at, 0);
#else
  int at = (slot * ckJointCount + joint) * 3;
  rows.x = ckPaletteRow(at);
  rows.y = ckPaletteRow(at + 1);
  rows.z = ckPaletteRow(at + 2);
#endif
  return rows;
}
