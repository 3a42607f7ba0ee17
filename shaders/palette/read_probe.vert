#version 330 core
#include "palette/rows.glsl"
// Reads as many rows as a vertex of four influences, to be timed: which way is the faster one?
uniform int ckJointCount;

void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; ++i) {
    int joint = (gl_VertexID * (i + 3)) % ckJointCount;
    int at = (gl_InstanceID * ckJointCount + joint) * 3;
    sum += ckPaletteRow(at) + ckPaletteRow(at + 1) + ckPaletteRow(at + 2);
  }
  gl_Position = sum;
}
