#version 330 core
// Fills the palette, one fragment per slot and joint: joints across, slots down. A new block of
// columns begins where the target's height is used up. One target per matrix row.
layout(location = 0) out vec4 oX;
layout(location = 1) out vec4 oY;
layout(location = 2) out vec4 oZ;
uniform int ckSlotCount;
uniform int ckSlotRows;
#include "palette/slot.glsl"

void main() {
  ivec2 place = ivec2(gl_FragCoord.xy);
  int column = place.x / ckJointCount;
  int slot = column * ckSlotRows + place.y;
  if (slot >= ckSlotCount) discard;
  CkMatrix rows = ckSlotMatrix(slot, place.x - column * ckJointCount);
  oX = rows.x;
  oY = rows.y;
  oZ = rows.z;
}
