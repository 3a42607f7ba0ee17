#version 330 core
// A far actor that is smaller than its smallest picture: a square of its mean colour, as large as the
// area that it covers. CK_PASS: as in crowd/actor.vert.
#include "far/picture.glsl"
#include "crowd/material.glsl"
#include "crowd/surface_light.glsl"
#include "far/cell.glsl"

uniform sampler2DArray ckImpostors;

#if CK_PASS == 0
flat out vec3 vColor;
#elif CK_PASS == 1
uniform int ckFirstId;
flat out uint vId;
#endif

#if CK_PASS == 0
// One of four places of the smallest picture as it appears on the screen.
vec3 ckLitAt(CkPicture picture, vec2 inCell, vec4 form, vec3 tint) {
  vec2 at = (picture.cell + inCell) / vec2(textureSize(ckImpostors, 0).xy);
  vec4 paint = textureLod(ckImpostors, vec3(at, float(2 * picture.direction)), ckCells.w);
  vec2 along = ckSigned(form.xy);
  vec3 normal = normalize(picture.turned * vec3(along, sqrt(max(1.0 - dot(along, along), 0.0))));
  vec3 world = picture.world + picture.placed * vec3(inCell, form.z * 2.0 - 1.0);
  vec3 toEye = ckTowardsEye(picture.world);
  CkLight light = ckLightFrom(world, normal, toEye, 1.0);
  vec4 air = vec4(ckAirColor(picture.world), ckAirAmount(picture.world));
  light = ckSeenThrough(air, light, 1.0 - max(dot(normal, toEye), 0.0), ckSelected());
  vec3 color = paint.rgb * paint.rgb * mix(vec3(1.0), tint, paint.a);
  return ckScreenCurve(color * light.taken + light.added);
}
#endif

void main() {
  CkActor actor = ckActor();
  CkPicture picture = ckPictureOf(actor);
  gl_Position = ckGuarded(picture.clip);
  float covered = 0.0;
#if CK_PASS == 0
  vec3 tint = ckTint(uint(actor.look));
  vColor = vec3(0.0);
#endif
  for (int i = 0; i < 4; ++i) {
    vec2 inCell = (vec2(i & 1, i >> 1) - 0.5) * 0.5 * ckCells.xy;
    vec2 at = (picture.cell + inCell) / vec2(textureSize(ckImpostors, 0).xy);
    vec4 form = textureLod(ckImpostors, vec3(at, float(2 * picture.direction + 1)), ckCells.w);
    covered += form.a;
#if CK_PASS == 0
    vColor += ckLitAt(picture, inCell, form, tint) * form.a;
#endif
  }
#if CK_PASS == 0
  vColor /= max(covered, 1e-3);
#elif CK_PASS == 1
  vId = uint(ckFirstId + ckActorIndex());
#endif
  float pixels = ckCells.x * ckCells.y / max(abs(determinant(picture.fromScreen)), 1e-12);
  gl_PointSize = clamp(sqrt(0.25 * covered * pixels), 1.0, ckLargestPoint);
}
