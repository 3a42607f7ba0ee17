#version 330 core
// The floor: warm grey with lines at every cell and every ten cells, which fade out instead of
// flickering, and with fog. CK_GRID: draw the lines. CK_SHADOWS: apply the shadow maps of the key
// light. All colours are in screen space.
#include "crowd/dither.glsl"
#include "crowd/shadow.glsl"
in vec3 vFloor;
#if CK_GRID
in vec3 vLine;
in vec2 vCell;
uniform float ckCellFade;
#endif
#ifdef CK_SHADOWS
in vec3 vShaded;
in vec3 vWorld;
#endif
layout(location = 0) out vec4 oColor;

#if CK_GRID
// The share of the pixel that is covered by lines of `width` (a fraction of the cell). `rate` is
// the inverse of the change of `place` per pixel.
float ckLines(vec2 place, vec2 rate, float width) {
  vec2 away = abs(fract(place - 0.5) - 0.5);
  vec2 thin = min(vec2(1.0 / width), rate / 1.1);  // inverse of the drawn width
  vec2 covered = clamp((0.5 / thin - away) * rate + 0.5, 0.0, 1.0);
  // A line thinner than a pixel becomes paler. Lines closer than two pixels become an even grey.
  covered *= clamp(width * thin * 1.6, 0.0, 1.0);
  covered = mix(covered, vec2(width), clamp(2.0 / rate - 1.0, 0.0, 1.0));
  return max(covered.x, covered.y);
}
#endif

void main() {
  vec3 color = vFloor;
#if CK_GRID
  vec2 rate = 1.0 / max(fwidth(vCell), vec2(1e-6));
  float fine = ckLines(vCell, rate, 0.010) * ckCellFade;
  float coarse = ckLines(vCell * 0.1, rate * 10.0, 0.0022);
  color = mix(color, vLine, clamp(fine * 0.5 + coarse * 0.8, 0.0, 1.0));
#endif
#ifdef CK_SHADOWS
  // Lines lose contrast in shadows.
  vec3 shaded = vShaded + (color - vFloor) * 0.6;
  color = mix(shaded, color, ckShadowLight(vWorld, vec3(0.0)));
#endif
  oColor = vec4(ckDithered(color), 1.0);
}
