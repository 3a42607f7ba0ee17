#version 330 core
// Shows tangents: their world direction as colour, darker where texture coordinates are mirrored,
// grey where a mesh has none.
in vec4 vTangent;
in vec3 vWorld;
layout(location = 0) out vec4 oColor;
#include "crowd/cut.glsl"
#include "crowd/light_direction.glsl"
void main() {
  vec3 facet = cross(dFdx(vWorld), dFdy(vWorld));
  float lit = 0.62 + 0.38 * abs(dot(facet, kToLight)) * inversesqrt(dot(facet, facet) + 1e-36);
  vec3 along = vTangent.xyz * inversesqrt(dot(vTangent.xyz, vTangent.xyz) + 1e-30);
  vec3 color = abs(vTangent.w) < 0.5 ? vec3(0.16) : along * 0.5 + 0.5;
  ckCutHere();
  oColor = vec4(color * lit * (vTangent.w < -0.5 ? 0.55 : 1.0), 1.0);
}
