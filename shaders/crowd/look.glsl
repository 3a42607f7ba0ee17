// Fog and conversion to screen colours, shared by all shaders. Colours are linear before
// ckScreenCurve().
#include "crowd/light.glsl"

uniform vec3 ckEye;
uniform float ckFogMeters;
// The eye as a point, or with w = 0 the direction to it where lines of sight are parallel.
uniform vec4 ckSight;

vec3 ckTowardsEye(vec3 world) {
  return normalize(ckSight.xyz - world * ckSight.w);
}

// The background colour.
vec3 ckSkyColor(vec3 direction) {
  float up = max(direction.y, 0.0);
  vec3 color = mix(kZenith, kHorizon, exp(-up * 3.4));
  float along = dot(direction.xz, kLightHeading) *
                inversesqrt(dot(direction.xz, direction.xz) + 1e-9);
  return color + kGlow * max(along, 0.0) * exp(-up * 5.0);
}

// The fog's colour between the eye and a place, and its amount in [0, 1).
vec3 ckAirColor(vec3 world) {
  vec3 away = world - ckEye;
  return ckSkyColor(vec3(away.x, 0.0, away.z));
}
float ckAirAmount(vec3 world) {
  vec3 along = (world - ckEye) / ckFogMeters;
  float squared = dot(along, along);
  return squared * squared / (0.25 + squared * squared);
}

// Converts linear light to screen colours: the filmic curve of Narkowicz (2015) followed by the
// sRGB curve, approximated by one fraction of square roots; the error is below 0.0035.
vec3 ckScreenCurve(vec3 linear) {
  vec3 x = max(linear, 0.0);
  vec3 s = sqrt(x);
  return (x * 5.45612364 - s * 0.09860762) / (x * 5.47887672 - s * 0.51478344 + 1.0);
}
