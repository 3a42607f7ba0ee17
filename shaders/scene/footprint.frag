#version 330 core
#include "crowd/look.glsl"
in vec2 vSpread;
in vec3 vWorld;
flat in float vStrength;
flat in int vRing;
flat in int vContact;
layout(location = 0) out vec4 oColor;
void main() {
  float away = length(vSpread);
  float clear = 1.0 - ckAirAmount(vWorld);
  if (vRing == 1) {
    float soft = max(fwidth(away), 1e-4);
    float ring = 1.0 - smoothstep(0.045, 0.045 + soft * 1.5, abs(away - 2.0));
    float glow = 0.28 * (1.0 - smoothstep(1.1, 2.0, away)) * step(away, 2.0);
    float shown = max(ring, glow) * vStrength * clear;
    oColor = vec4(ckScreenCurve(kAccent * 1.4), 1.0) * shown;
    return;
  }
  // The contact shadow is a Gaussian; the light's shadow is a body with soft edges.
  float dark = vContact == 1 ? max(exp(-0.5 * away * away) - 0.034, 0.0)
                             : 1.0 - smoothstep(0.35, 2.3, away);
  dark *= vStrength * clear;
  oColor = vec4(vec3(0.012, 0.012, 0.016) * dark, dark);
}
