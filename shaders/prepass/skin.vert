#version 330 core
// Skins the vertices of consecutive actors by transform feedback: one point per vertex, one
// instance per actor.
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
