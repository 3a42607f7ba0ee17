#version 330 core
// Skins the vertices of some actors that lie one after another, to be fed back: one vertex a point,
// one actor an instance.
flat out uvec4 vVertex;
#include "prepass/skin_vertex.glsl"

void main() {
  vVertex = ckSkinVertex(ckFirstTarget + gl_InstanceID, gl_VertexID);
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
