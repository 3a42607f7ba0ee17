#version 330 core
// One triangle over the whole picture, at the far plane.
uniform mat4 ckWorldFromClip;
out vec3 vDirection;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec4 near = ckWorldFromClip * vec4(corner, -1.0, 1.0);
  vec4 far = ckWorldFromClip * vec4(corner, 1.0, 1.0);
  vDirection = far.xyz / far.w - near.xyz / near.w;
  gl_Position = vec4(corner, 1.0, 1.0);
}
