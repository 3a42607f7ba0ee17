#version 330 core
// A disc of ground around the camera's target: CK_RINGS rings of CK_SPOKES cells. Light and fog
// change slowly over it, so they are computed per vertex in screen colours: software renderers are
// slow per pixel.
#include "crowd/look.glsl"
uniform mat4 ckViewProjection;
uniform vec2 ckGroundCenter;
uniform float ckGroundRadius;
out vec3 vFloor;
#if CK_GRID
uniform float ckCellMeters;
out vec3 vLine;
out vec2 vCell;
#endif
#ifdef CK_SHADOWS
out vec3 vShaded;
out vec3 vWorld;
#endif

const vec3 kFloor = vec3(0.040, 0.0375, 0.035);
const vec3 kLine = vec3(0.135, 0.128, 0.120);
const vec3 kShadowed = vec3(0.012, 0.012, 0.016);
const float kShadowStrength = 0.62;

void main() {
  int cell = gl_VertexID / 6;
  int corner = int[6](0, 1, 2, 2, 1, 3)[gl_VertexID % 6];
  // Rings are denser near the centre, where the light pool is.
  float ring = float(cell / CK_SPOKES + (corner >> 1)) / float(CK_RINGS);
  float pool = ring * (0.25 + 0.75 * ring * ring);
  float angle = float(cell % CK_SPOKES + (corner & 1)) * (6.28318531 / float(CK_SPOKES));
  vec2 place = ckGroundCenter + vec2(cos(angle), sin(angle)) * (pool * ckGroundRadius);
  vec3 world = vec3(place.x, 0.0, place.y);

  // A pool of light around the target, and fog beyond it.
  float light = 1.0 + 1.1 / (1.0 + pool * pool * 260.0);
  vec3 airColor = ckAirColor(world);
  float air = max(ckAirAmount(world), smoothstep(0.35, 0.95, pool));
  vFloor = ckScreenCurve(mix(kFloor * light, airColor, air));
#if CK_GRID
  vLine = ckScreenCurve(mix(kLine * light, airColor, air));
  vCell = place / ckCellMeters;
#endif
#ifdef CK_SHADOWS
  vec3 shaded = mix(kFloor * light, kShadowed, kShadowStrength);
  vShaded = ckScreenCurve(mix(shaded, airColor, air));
  vWorld = world;
#endif
  gl_Position = ckViewProjection * vec4(world, 1.0);
}
