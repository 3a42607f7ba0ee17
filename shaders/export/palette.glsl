// Skin matrices from a palette that the fill pass wrote.

CK_FN CkMatrix ckPaletteMatrix(int actor, int joint) {
  CkMatrix m;
  m.x = ckPaletteRow(actor, joint, 0);
  m.y = ckPaletteRow(actor, joint, 1);
  m.z = ckPaletteRow(actor, joint, 2);
  return m;
}

// `sum` + the skin matrices of four influences. Joints with a weight of 0 are not read.
CK_FN CkMatrix ckPalettePlus(CkMatrix sum, int actor, ivec4 joints, vec4 weights) {
  CkMatrix skin = sum;
  if (weights.x != 0.0f) {
    skin = ck_matrixPlus(skin, ckPaletteMatrix(actor, joints.x), weights.x);
  }
  if (weights.y != 0.0f) {
    skin = ck_matrixPlus(skin, ckPaletteMatrix(actor, joints.y), weights.y);
  }
  if (weights.z != 0.0f) {
    skin = ck_matrixPlus(skin, ckPaletteMatrix(actor, joints.z), weights.z);
  }
  if (weights.w != 0.0f) {
    skin = ck_matrixPlus(skin, ckPaletteMatrix(actor, joints.w), weights.w);
  }
  return skin;
}

// The matrix that moves a vertex with up to four influences: position ck_matrixPoint(m, v), normal
// normalize(ck_matrixNormal(m, n)).
CK_FN CkMatrix ckPaletteSkin(int actor, ivec4 joints, vec4 weights) {
  return ckPalettePlus(ckNoMatrix(), actor, joints, weights);
}
