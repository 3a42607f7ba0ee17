#version 330 core
// The legend of the motion view: every direction on the screen, faster outwards.
#include "crowd/motion_color.glsl"
in vec2 vCorner;
layout(location = 0) out vec4 oColor;
void main() {
  float away = length(vCorner);
  float soft = max(fwidth(away), 1e-4);
  float inside = 1.0 - smoothstep(1.0 - soft, 1.0, away);
  vec3 color = ckMotionColor(vCorner, away) + 0.03;
  oColor = vec4(mix(vec3(0.03), color, 1.0 - smoothstep(0.94 - soft, 0.94, away)), 1.0) * inside;
}
