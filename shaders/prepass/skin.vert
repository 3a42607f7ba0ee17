#version 330 core
// Skins the vertices of some actors that lie one after another, to be fed back: one vertex a point,
// one actor an instance.
flat out uvec4 vVertex;
#if CK_TANGENTS
flat out uint vTangent;
#endif
#include "prepass/skin_vertex.glsl"

void main() {
  CkStored stored = ckSkinVertex(ckFirstTarget + gl_InstanceID, gl_VertexID);
  vVertex = stored.vertex;
#if CK_TANGENTS
  vTangent = stored.tangent;
#endif
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
