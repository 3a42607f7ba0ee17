#version 330 core
// A rectangle on the screen.
uniform vec4 ckBar;  // left, bottom, width, height in clip coordinates
out float vAlong;
out vec2 vCorner;  // from -1 to 1
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vAlong = corner.y;
  vCorner = corner * 2.0 - 1.0;
  gl_Position = vec4(ckBar.xy + corner * ckBar.zw, 0.0, 1.0);
}
