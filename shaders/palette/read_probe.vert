#version 330 core
#ifdef CK_PALETTE_STORAGE
#extension GL_ARB_shader_storage_buffer_object : require
#endif
#define CK_PALETTE_TARGETS 0
#include "shared/quaternion.glsl"
#include "shared/pose.glsl"
#include "palette/rows.glsl"
// Reads as many rows as a vertex with four influences. The time decides how palettes are read.

void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; ++i) {
    CkMatrix rows = ckRowsOf(gl_InstanceID, (gl_VertexID * (i + 3)) % ckJointCount);
    sum += rows.x + rows.y + rows.z;
  }
  gl_Position = sum;
}
