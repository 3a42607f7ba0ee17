#version 430 core
// Fills the palette, one thread per slot and joint.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer CkPalette { vec4 ckPaletteRows[]; };
uniform int ckSlotCount;
#include "palette/slot.glsl"

void main() {
  int group = int(gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x);
  int thread = group * 64 + int(gl_LocalInvocationID.x);
  int slot = thread / ckJointCount;
  if (slot >= ckSlotCount) return;
  CkMatrix rows = ckSlotMatrix(slot, thread - slot * ckJointCount);
  ckPaletteRows[thread * 3] = rows.x;
  ckPaletteRows[thread * 3 + 1] = rows.y;
  ckPaletteRows[thread * 3 + 2] = rows.z;
}
