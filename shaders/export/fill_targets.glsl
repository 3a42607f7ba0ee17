// Fills a palette: one fragment per actor and joint. Actor a lies in column a / ckPaletteRows, row
// a % ckPaletteRows; a column is as wide as the joints.
uniform highp float ckSeconds;
uniform highp int ckActorCount;
uniform highp int ckPaletteRows;  // height of the target
#ifdef CK_PALETTE_ONE
layout(location = 0) out highp vec4 ckRow;  // three texels per joint, a matrix row each
#else
layout(location = 0) out highp vec4 ckRowX;  // a target per matrix row
layout(location = 1) out highp vec4 ckRowY;
layout(location = 2) out highp vec4 ckRowZ;
#endif

void main() {
  int x = int(gl_FragCoord.x);
#ifdef CK_PALETTE_ONE
  int row = x % 3;
  x = x / 3;
#endif
  int column = x / CK_JOINT_COUNT;
  int actor = column * ckPaletteRows + int(gl_FragCoord.y);
  if (actor >= ckActorCount) discard;
  CkMatrix m = ckRelativeMatrix(ckShownBy(actor, ckSeconds), x - column * CK_JOINT_COUNT);
#ifdef CK_PALETTE_ONE
  ckRow = row == 0 ? m.x : (row == 1 ? m.y : m.z);
#else
  ckRowX = m.x;
  ckRowY = m.y;
  ckRowZ = m.z;
#endif
}
