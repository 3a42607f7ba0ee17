#version 430 core
// Skins the vertices of many actors, one thread each: vertices along x, actors along y and z.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer CkVertices { uvec4 ckVertices[]; };
#if CK_TANGENTS
layout(std430, binding = 1) writeonly buffer CkTangents { uint ckTangents[]; };
#endif
uniform isamplerBuffer ckTargets;  // per actor, the index of its first vertex
uniform int ckTargetCount;
#include "prepass/skin_vertex.glsl"

void main() {
  int vertex = int(gl_GlobalInvocationID.x);
  int target = int(gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y);
  if (vertex >= ckVertexCount || target >= ckTargetCount) return;
  int slot = ckFirstTarget + target;
  int place = texelFetch(ckTargets, slot).x + vertex;
  CkStored stored = ckSkinVertex(slot, vertex);
  ckVertices[place] = stored.vertex;
#if CK_TANGENTS
  ckTangents[place] = stored.tangent;
#endif
}
