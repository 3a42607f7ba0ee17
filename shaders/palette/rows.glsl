// Reads the skin matrices of a palette. Include shared/pose.glsl first. CK_PALETTE_TARGETS: from three
// textures instead of a buffer. CK_PALETTE_STORAGE: from a storage buffer instead of a buffer texture;
// the shader must enable GL_ARB_shader_storage_buffer_object then (part of OpenGL 4.3).
#ifdef CK_PALETTE_STORAGE
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

CkMatrix ckRowsOf(int slot, int joint) {
  CkMatrix rows;
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
