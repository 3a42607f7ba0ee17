#version 430 core
// Adds sparse difference meshes to integer sums: x is the entry of a morph, y the changed morph.
// Integer additions give the same sum in any order.
#include "shared/morph.glsl"

layout(local_size_x = 64) in;

// Eight per place: position x, y, z, unused, normal x, y, z, unused.
layout(std430, binding = 0) buffer CkSums {
  int sums[];
};
// Eight per entry: the place, then bits of position x, y, z and normal x, y, z in steps, unused.
layout(std430, binding = 1) readonly buffer CkEntries {
  int entries[];
};
// Four per morph: first entry, number of entries, bits of its old and new weight.
layout(std430, binding = 2) readonly buffer CkChanges {
  ivec4 changes[];
};

void main() {
  ivec4 change = changes[gl_WorkGroupID.y];
  int entry = int(gl_GlobalInvocationID.x);
  if (entry >= change.y) {
    return;
  }
  int at = (change.x + entry) * 8;
  int place = entries[at] * 8;
  float before = intBitsToFloat(change.z);
  float now = intBitsToFloat(change.w);
  for (int k = 0; k < 6; ++k) {
    float steps = intBitsToFloat(entries[at + 1 + k]);
    int step = ck_morphStep(now, steps) - ck_morphStep(before, steps);
    if (step != 0) {
      atomicAdd(sums[place + k + k / 3], step);
    }
  }
}
