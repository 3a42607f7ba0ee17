#ifdef CK_PALETTE_ONE
uniform highp sampler2D ckPalette;
vec4 ckPaletteRow(int actor, int joint, int row) {
  int rows = textureSize(ckPalette, 0).y;
  int x = (actor / rows * CK_JOINT_COUNT + joint) * 3 + row;
  return texelFetch(ckPalette, ivec2(x, actor % rows), 0);
}
#else
uniform highp sampler2D ckPaletteX;
uniform highp sampler2D ckPaletteY;
uniform highp sampler2D ckPaletteZ;
vec4 ckPaletteRow(int actor, int joint, int row) {
  int rows = textureSize(ckPaletteX, 0).y;
  ivec2 at = ivec2(actor / rows * CK_JOINT_COUNT + joint, actor % rows);
  if (row == 0) return texelFetch(ckPaletteX, at, 0);
  if (row == 1) return texelFetch(ckPaletteY, at, 0);
  return texelFetch(ckPaletteZ, at, 0);
}
#endif
