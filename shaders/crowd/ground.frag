#version 330 core
// The floor: warm grey, with lines every cell and every ten cells that thin out instead of
// flickering, and a fade into the air.
#include "crowd/look.glsl"
in vec3 vWorld;
uniform vec2 ckGroundCenter;
uniform float ckGroundRadius;
uniform float ckCellMeters;
uniform float ckCellFade;
uniform int ckGrid;
layout(location = 0) out vec4 oColor;

const vec3 kFloor = vec3(0.062, 0.058, 0.054);
const vec3 kLine = vec3(0.150, 0.143, 0.134);

// How much of the pixel is covered by lines `width` (a fraction of the cell) wide.
float ckLines(vec2 place, float width) {
  vec2 step = max(fwidth(place), vec2(1e-6));
  vec2 drawn = max(vec2(width), step);
  vec2 away = abs(fract(place - 0.5) - 0.5);
  vec2 covered = smoothstep(drawn * 0.5 + step * 0.75, drawn * 0.5 - step * 0.75, away);
  // A line thinner than a pixel is paler, and lines closer than two pixels are an even grey.
  covered *= clamp(width / drawn, 0.0, 1.0);
  covered = mix(covered, vec2(width), clamp(step * 2.0 - 1.0, 0.0, 1.0));
  return max(covered.x, covered.y);
}

void main() {
  vec3 color = kFloor;
  float fog = ckFogAmount(vWorld);
  if (ckGrid == 1) {
    float fine = ckLines(vWorld.xz / ckCellMeters, 0.016) * ckCellFade;
    float coarse = ckLines(vWorld.xz / (ckCellMeters * 10.0), 0.0030);
    color = mix(color, kLine, clamp(fine * 0.55 + coarse * 0.9, 0.0, 1.0));
  }
  // A pool of light about what is looked at.
  float pool = length(vWorld.xz - ckGroundCenter) / ckGroundRadius;
  color *= 1.0 + 0.85 * exp(-pool * pool * 90.0);
  color = mix(color, kHorizon, fog);
  float shown = 1.0 - smoothstep(0.45, 0.95, pool);
  oColor = vec4(ckToScreen(color), shown);
}
