// The air and the last step to the screen, one definition for everything that is drawn. Colours are
// linear until ckScreenCurve.
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

// What the screen shows of linear light: the filmic curve of Narkowicz (2015) and the sRGB code after
// it, as one fraction of square roots that was fitted to both; off by less than 0.0035.
vec3 ckScreenCurve(vec3 linear) {
  vec3 x = max(linear, 0.0);
  vec3 s = sqrt(x);
  return (x * 5.45612364 - s * 0.09860762) / (x * 5.47887672 - s * 0.51478344 + 1.0);
}
