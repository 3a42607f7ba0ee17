#version 430 core
// Adds sparse difference meshes to integer sums: x counts the entries of a shape, y the shapes that
// changed. Integer additions may come in any order and give the same sum.
#include "shared/morph.glsl"

layout(local_size_x = 64) in;

// Eight a place: position x, y, z, nothing, normal x, y, z, nothing.
layout(std430, binding = 0) buffer CkSums {
  int sums[];
};
// Eight an entry: the place, then the bits of position x, y, z and normal x, y, z in steps, nothing.
layout(std430, binding = 1) readonly buffer CkEntries {
  int entries[];
};
// Four a shape: first entry, how many, the bits of its weight before and now.
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
