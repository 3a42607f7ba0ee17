#version 330 core
// Shows the motion since the previous tick as both cameras saw it: the direction on the screen as
// hue, the length in metres as brightness. Unmoved surfaces are dark.
#include "crowd/cut.glsl"
#include "crowd/motion_color.glsl"
in vec3 vMotion;
in vec4 vNow;
in vec4 vBefore;
uniform float ckMotionScale;  // metres
uniform float ckAspect;
layout(location = 0) out vec4 oColor;
void main() {
  vec2 across = (vNow.xy / vNow.w - vBefore.xy / vBefore.w) * vec2(ckAspect, 1.0);
  // Keep unmoved shapes recognisable.
  vec3 facet = normalize(cross(dFdx(vNow.xyw), dFdy(vNow.xyw)) + vec3(1e-20));
  float shape = 0.030 + 0.035 * abs(facet.z);
  ckCutHere();
  oColor = vec4(ckMotionColor(across, length(vMotion) / ckMotionScale) + shape, 1.0);
}
