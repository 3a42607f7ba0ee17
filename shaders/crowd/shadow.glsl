// Reads the shadow maps of the key light: up to three boxes across the light, finest first, one
// texture layer each. For fragment shaders with CK_SHADOWS.
#ifdef CK_SHADOWS
#include "crowd/shadow_border.glsl"
uniform sampler2DArrayShadow ckShadowMap;
uniform int ckShadowCount;
uniform mat4 ckShadowFromWorld;    // to metres across the light, and depth in [0, 1]
uniform vec4 ckShadowBoxes[3];     // scale and offset from these metres to [0, 1]
uniform float ckShadowTexels[3];   // metres

// Nine filtered samples that approximate a 5 x 5 tent filter (Ignacio Castano, "Shadow Mapping
// Summary", 2013). `place` is in texels.
float ckShadowTent(vec2 place, float layer, float depth, float texel) {
  vec2 base = floor(place + 0.5);
  vec2 s = place + 0.5 - base;
  vec3 weightX = vec3(4.0 - 3.0 * s.x, 7.0, 1.0 + 3.0 * s.x);
  vec3 weightY = vec3(4.0 - 3.0 * s.y, 7.0, 1.0 + 3.0 * s.y);
  vec3 atX = vec3((3.0 - 2.0 * s.x) / weightX.x - 2.0, (3.0 + s.x) / 7.0, s.x / weightX.z + 2.0);
  vec3 atY = vec3((3.0 - 2.0 * s.y) / weightY.x - 2.0, (3.0 + s.y) / 7.0, s.y / weightY.z + 2.0);
  atX = (base.x - 0.5 + atX) * texel;
  atY = (base.y - 0.5 + atY) * texel;
  float sum = 0.0;
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 3; ++x) {
      sum += weightX[x] * weightY[y] *
             texture(ckShadowMap, vec4(atX[x], atY[y], layer, depth));
    }
  }
  return sum / 144.0;
}

// The share of the key light at a place, 0 to 1. `normal` offsets the lookup from a surface that
// casts shadows; 0 for a surface that does not.
float ckShadowLight(vec3 world, vec3 normal) {
  vec3 at = (ckShadowFromWorld * vec4(world, 1.0)).xyz;
  vec3 off = mat3(ckShadowFromWorld) * normal;
  // Pixels choose one of two boxes by interleaved gradient noise in a band between them. This needs
  // one lookup and shows no line (docs/techniques.md 4.7).
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float reach = kShadowBorder - kShadowBand * noise;
  int last = ckShadowCount - 1;
  int chosen = last;
  for (int i = 1; i >= 0; --i) {
    vec2 inside = abs(at.xy * ckShadowBoxes[i].xy + ckShadowBoxes[i].zw - 0.5) * 2.0;
    if (i < last && max(inside.x, inside.y) < reach) chosen = i;
  }
  vec4 box = ckShadowBoxes[chosen];
  at += off * (ckShadowTexels[chosen] * 2.0);
  vec2 place = at.xy * box.xy + box.zw;
  float size = float(textureSize(ckShadowMap, 0).x);
  // Points behind the crowd's depth range can be shadowed, and nothing before it casts shadows.
  float depth = clamp(at.z, 0.0, 1.0);
  return ckShadowTent(place * size, float(chosen), depth, 1.0 / size);
}
#endif
