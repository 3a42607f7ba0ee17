#version 330 core
// The sky as a grid of CK_ACROSS by CK_UP cells at the far plane. Its colours change slowly, so
// they are computed per vertex: software renderers are slow per pixel.
#include "crowd/look.glsl"
uniform mat4 ckWorldFromClip;
out vec3 vColor;
void main() {
  int cell = gl_VertexID / 6;
  int corner = int[6](0, 1, 2, 2, 1, 3)[gl_VertexID % 6];
  vec2 place = vec2(cell % CK_ACROSS + (corner & 1), cell / CK_ACROSS + (corner >> 1));
  vec2 clip = place / vec2(CK_ACROSS, CK_UP) * 2.0 - 1.0;
  vec4 near = ckWorldFromClip * vec4(clip, -1.0, 1.0);
  vec4 far = ckWorldFromClip * vec4(clip, 1.0, 1.0);
  vColor = ckScreenCurve(ckSkyColor(normalize(far.xyz / far.w - near.xyz / near.w)));
  gl_Position = vec4(clip, 1.0, 1.0);
}
