#version 330 core
// The floor: warm grey, with lines every cell and every ten cells that thin out instead of
// flickering, and a fade into the air. CK_GRID: with these lines. CK_SHADOWS: under the shadow maps
// of the key light. All colours are as the screen shows them.
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
// How much of the pixel is covered by lines `width` (a fraction of the cell) wide; `rate` is one over
// how far `place` moves from pixel to pixel.
float ckLines(vec2 place, vec2 rate, float width) {
  vec2 away = abs(fract(place - 0.5) - 0.5);
  vec2 thin = min(vec2(1.0 / width), rate / 1.1);  // one over the width that is drawn
  vec2 covered = clamp((0.5 / thin - away) * rate + 0.5, 0.0, 1.0);
  // A line thinner than a pixel is paler, and lines closer than two pixels are an even grey.
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
  // Lines lose some of their contrast in the shadow.
  vec3 shaded = vShaded + (color - vFloor) * 0.6;
  color = mix(shaded, color, ckShadowLight(vWorld, vec3(0.0)));
#endif
  oColor = vec4(ckDithered(color), 1.0);
}
