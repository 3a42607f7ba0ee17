// The air and the last step to the screen, one definition for everything that is drawn; for
// fragment shaders. Colours are linear until ckToScreen.
#include "crowd/light.glsl"

uniform vec3 ckEye;
uniform float ckFogMeters;

// What is seen where nothing stands.
vec3 ckSkyColor(vec3 direction) {
  float up = max(direction.y, 0.0);
  vec3 color = mix(kZenith, kHorizon, exp(-up * 3.4));
  float along = dot(direction.xz, kLightHeading) *
                inversesqrt(dot(direction.xz, direction.xz) + 1e-9);
  return color + kGlow * max(along, 0.0) * exp(-up * 5.0);
}

// The colour of the air between the eye and a place, and how much of it there is, in [0, 1).
vec3 ckAirColor(vec3 world) {
  vec3 away = world - ckEye;
  return ckSkyColor(vec3(away.x, 0.0, away.z));
}
float ckAirAmount(vec3 world) {
  vec3 along = (world - ckEye) / ckFogMeters;
  float squared = dot(along, along);
  return squared * squared / (0.25 + squared * squared);
}

vec3 ckToScreen(vec3 linear) {
  // The filmic curve of Narkowicz (2015).
  vec3 x = linear * 0.92;
  vec3 film = clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
  // sRGB as a sum of roots (chilliant, "sRGB approximations for HLSL"); off by less than 0.003.
  vec3 root = sqrt(film);
  vec3 root4 = sqrt(root);
  vec3 coded = max(0.662002687 * root + 0.684122060 * root4 - 0.323583601 * sqrt(root4) -
                       0.0225411470 * film,
                   0.0);
  // Less than one step of noise against bands.
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  return coded + (noise - 0.5) / 255.0;
}
