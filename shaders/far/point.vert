#version 330 core
// A far actor as a square of its mean colour, as large as the area that it covers. CK_PASS,
// CK_DISSOLVE: as in crowd/actor.vert.
#include "far/picture.glsl"
#include "crowd/material.glsl"
#include "crowd/surface_light.glsl"
#include "far/cell.glsl"
#ifdef CK_DISSOLVE
#include "crowd/dissolving.glsl"
#endif

uniform sampler2DArray ckImpostors;

#if CK_PASS == 0
flat out vec3 vColor;
#elif CK_PASS == 1
uniform int ckFirstId;
flat out uint vId;
#endif

#if CK_PASS == 0
// How far to each side the normals of a body are turned that is round about the picture's vertical: the
// mean of the light on both is about that on the body.
const float kRound = 0.7;

// A pixel of the smallest level of detail as it appears on the screen.
vec3 ckLitAt(CkPicture picture, vec4 air, ivec3 at, vec2 inCell, vec4 form, vec3 tint) {
  vec4 paint = texelFetch(ckImpostors, at, int(ckCells.w));
  vec3 color = paint.rgb * paint.rgb * mix(vec3(1.0), tint, paint.a);
  vec2 along = ckSigned(form.xy);
  float towards = sqrt(max(1.0 - dot(along, along), 0.0));
  vec3 world = picture.world + picture.placed * vec3(inCell, form.z * 2.0 - 1.0);
  vec3 screen = vec3(0.0);
  for (int side = -1; side <= 1; side += 2) {
    vec3 seen = normalize(vec3(along.x + kRound * float(side), along.y, towards));
    CkLight light = ckLightFrom(world, picture.turned * seen, picture.turned[2], 1.0);
    light = ckSeenThrough(air, light, 1.0 - seen.z, ckSelected());
    screen += 0.5 * ckScreenCurve(color * light.taken + light.added);
  }
  return screen;
}
#endif

void main() {
  CkActor actor = ckActor();
  CkPicture picture = ckPictureOf(actor);
  gl_Position = ckGuarded(picture.clip);
  float covered = 0.0;
#if CK_PASS == 0
  vec3 tint = ckTint(uint(actor.look));
  vec4 air = vec4(ckAirColor(picture.world), ckAirAmount(picture.world));
  vColor = vec3(0.0);
#endif
  // The smallest level has one or two pixels, side by side or one above the other.
  int last = int(ckCells.w);
  ivec2 size = max(ivec2(ckCells.xy) >> last, ivec2(1));
  ivec2 corner = ivec2(picture.cell - 0.5 * ckCells.xy) >> last;
  for (int i = 0; i < size.x * size.y; ++i) {
    ivec3 at = ivec3(corner + ivec2(i % size.x, i / size.x), 2 * picture.direction);
    vec2 inCell = (vec2(at.xy - corner) + 0.5) * exp2(ckCells.w) - 0.5 * ckCells.xy;
    vec4 form = texelFetch(ckImpostors, at + ivec3(0, 0, 1), last);
    covered += form.a / float(size.x * size.y);
#if CK_PASS == 0
    vColor += ckLitAt(picture, air, at, inCell, form, tint) * form.a / float(size.x * size.y);
#endif
  }
#if CK_PASS == 0
  vColor /= max(covered, 1e-3);
#elif CK_PASS == 1
  vId = uint(ckFirstId + ckActorIndex());
#endif
  float pixels = ckCells.x * ckCells.y / max(abs(determinant(picture.fromScreen)), 1e-12);
  gl_PointSize = clamp(sqrt(covered * pixels), 1.0, ckLargestPoint);
#ifdef CK_DISSOLVE
  ckDissolving(actor.look);
#endif
}
