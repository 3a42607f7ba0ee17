StructuredBuffer<float4> ckPalette : CK_REGISTER(t3);
float4 ckPaletteRow(int actor, int joint, int row) {
  return ckPalette[(actor * CK_JOINT_COUNT + joint) * 3 + row];
}
