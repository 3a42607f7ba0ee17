#version 330 core
// A bar at the right edge of the picture, from bottom to top.
uniform vec4 ckBar;  // left, bottom, width, height in clip coordinates
out float vAlong;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vAlong = corner.y;
  gl_Position = vec4(ckBar.xy + corner * ckBar.zw, 0.0, 1.0);
}
