// Points whose middle lies outside of the image are seen: the viewport is larger than it on all sides
// (render/far/guard_band.h).
uniform vec4 ckScreen;         // the image: lower left corner, width, height, pixels
uniform vec2 ckGuard;          // its share of the viewport
uniform float ckLargestPoint;  // pixels

vec4 ckGuarded(vec4 clip) { return vec4(clip.xy * ckGuard, clip.zw); }
