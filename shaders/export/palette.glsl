// Skin matrices from a palette that the fill pass wrote.
CK_FN CkMatrix ckPaletteMatrix(int actor, int joint) {
  CkMatrix m;
  m.x = ckPaletteRow(actor, joint, 0);
  m.y = ckPaletteRow(actor, joint, 1);
  m.z = ckPaletteRow(actor, joint, 2);
  return m;
}
