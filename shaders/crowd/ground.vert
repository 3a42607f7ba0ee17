#version 330 core
// A square of ground about the point that the camera looks at.
uniform mat4 ckViewProjection;
uniform vec2 ckGroundCenter;
uniform float ckGroundRadius;
out vec3 vWorld;
void main() {
  vec2 corner = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID >> 1) * 2 - 1);
  vec2 place = ckGroundCenter + corner * ckGroundRadius;
  vWorld = vec3(place.x, 0.0, place.y);
  gl_Position = ckViewProjection * vec4(vWorld, 1.0);
}
