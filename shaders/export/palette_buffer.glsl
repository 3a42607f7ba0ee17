layout(std430, binding = 3) readonly buffer CkPalette { vec4 ckPalette[]; };
vec4 ckPaletteRow(int actor, int joint, int row) {
  return ckPalette[(actor * CK_JOINT_COUNT + joint) * 3 + row];
}
