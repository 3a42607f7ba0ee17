#version 330 core
// The floor: warm grey, with lines every cell and every ten cells that thin out instead of
// flickering, and a fade into the air. CK_SHADOWS: under the shadow maps of the key light.
#include "crowd/look.glsl"
#include "crowd/shadow.glsl"
in vec3 vWorld;
uniform vec2 ckGroundCenter;
uniform float ckGroundRadius;
uniform float ckCellMeters;
uniform float ckCellFade;
uniform int ckGrid;
layout(location = 0) out vec4 oColor;

const vec3 kFloor = vec3(0.040, 0.0375, 0.035);
#ifdef CK_SHADOWS
const vec3 kShadowed = vec3(0.012, 0.012, 0.016);
const float kShadowStrength = 0.62;
#endif
const vec3 kLine = vec3(0.135, 0.128, 0.120);

// How much of the pixel is covered by lines `width` (a fraction of the cell) wide.
float ckLines(vec2 place, float width) {
  vec2 step = max(fwidth(place), vec2(1e-6));
  vec2 drawn = max(vec2(width), step * 1.1);
  vec2 away = abs(fract(place - 0.5) - 0.5);
  vec2 covered = clamp((drawn * 0.5 - away) / step + 0.5, 0.0, 1.0);
  // A line thinner than a pixel is paler, and lines closer than two pixels are an even grey.
  covered *= clamp(width / drawn * 1.6, 0.0, 1.0);
  covered = mix(covered, vec2(width), clamp(step * 2.0 - 1.0, 0.0, 1.0));
  return max(covered.x, covered.y);
}

void main() {
  vec3 color = kFloor;
  if (ckGrid == 1) {
    float fine = ckLines(vWorld.xz / ckCellMeters, 0.010) * ckCellFade;
    float coarse = ckLines(vWorld.xz / (ckCellMeters * 10.0), 0.0022);
    color = mix(color, kLine, clamp(fine * 0.5 + coarse * 0.8, 0.0, 1.0));
  }
  // A pool of light about what is looked at, and the air beyond it.
  float pool = length(vWorld.xz - ckGroundCenter) / ckGroundRadius;
  color *= 1.0 + 1.1 / (1.0 + pool * pool * 260.0);
#ifdef CK_SHADOWS
  color = mix(kShadowed, color, mix(1.0, ckShadowLight(vWorld, vec3(0.0)), kShadowStrength));
#endif
  float air = max(ckAirAmount(vWorld), smoothstep(0.35, 0.95, pool));
  oColor = vec4(ckToScreen(mix(color, ckAirColor(vWorld), air)), 1.0);
}
