// The air and the last step to the screen, one definition for everything that is drawn; for
// fragment shaders. Colours are linear until ckToScreen.
#include "crowd/light.glsl"

uniform vec3 ckEye;
uniform float ckFogMeters;

// What is seen where nothing stands.
vec3 ckSkyColor(vec3 direction) {
  float up = max(direction.y, 0.0);
  vec3 color = mix(kZenith, kHorizon, exp(-up * 3.2));
  float towardsLight = max(dot(normalize(direction.xz + 1e-6), normalize(kToLight.xz)), 0.0);
  return color + kGlow * towardsLight * exp(-up * 5.0);
}

float ckFogAmount(vec3 world) {
  float along = distance(world, ckEye) / ckFogMeters;
  return 1.0 - exp(-along * along);
}

vec3 ckToScreen(vec3 linear) {
  // The filmic curve of Narkowicz (2015), then sRGB, then less than one step of noise against bands.
  vec3 x = linear * 0.92;
  vec3 film = clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
  vec3 low = film * 12.92;
  vec3 high = 1.055 * pow(max(film, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055;
  vec3 coded = mix(high, low, lessThan(film, vec3(0.0031308)));
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  return coded + (noise - 0.5) / 255.0;
}
