#version 330 core
// A far actor as a square of its mean colour, as large as the area that it covers. If that is less than a pixel, as
// one place of its body, chosen at random for each actor, with its colour there. Mean colours at bodies' middles
// would make a dense crowd darker than its pictures, in which actors hide the legs of those behind them. CK_PASS,
// CK_DISSOLVE: as in crowd/actor.vert.
#include "far/picture.glsl"
#include "far/covered.glsl"
#include "crowd/material.glsl"
#include "crowd/surface_light.glsl"
#include "far/cell.glsl"
#ifdef CK_DISSOLVE
#include "crowd/dissolving.glsl"
#endif

uniform sampler2DArray ckImpostors;

#if CK_PASS == 0
flat out vec4 vColor;  // premultiplied
#elif CK_PASS == 1
uniform int ckFirstId;
flat out uint vId;
#endif

// A pixel of a level of detail: of its color layer, and on the cell.
struct CkCellPixel {
  ivec3 at;
  int level;
  vec2 inCell;  // off the cell's middle, in pixels of the finest level
};

// Pixel `number` of the cell, in rows of `size`.
CkCellPixel ckPixelOf(CkPicture picture, int level, ivec2 size, int number) {
  ivec2 place = ivec2(number % size.x, number / size.x);
  ivec2 corner = ivec2(picture.cell - 0.5 * ckCells.xy) >> level;
  vec2 inCell = (vec2(place) + 0.5) * exp2(float(level)) - 0.5 * ckCells.xy;
  return CkCellPixel(ivec3(corner + place, 2 * picture.direction), level, inCell);
}

ivec2 ckCellSize(int level) { return max(ivec2(ckCells.xy) >> level, ivec2(1)); }

vec4 ckFormAt(CkCellPixel pixel) { return texelFetch(ckImpostors, pixel.at + ivec3(0, 0, 1), pixel.level); }

vec3 ckPlaceOf(CkPicture picture, CkCellPixel pixel, vec4 form) {
  return picture.world + picture.placed * vec3(pixel.inCell, form.z * 2.0 - 1.0);
}

#if CK_PASS == 0
// The pixel as it appears on the screen. `round`: how far its normals are turned to both sides; the mean of the
// light on both is taken.
vec3 ckLitAt(CkPicture picture, vec4 air, CkCellPixel pixel, vec4 form, vec3 tint, float round) {
  vec4 paint = texelFetch(ckImpostors, pixel.at, pixel.level);
  vec3 color = paint.rgb * paint.rgb * mix(vec3(1.0), tint, paint.a);
  vec2 along = ckSigned(form.xy);
  float towards = sqrt(max(1.0 - dot(along, along), 0.0));
  vec3 world = ckPlaceOf(picture, pixel, form);
  vec3 screen = vec3(0.0);
  for (int side = -1; side <= 1; side += 2) {
    vec3 seen = normalize(vec3(along.x + round * float(side), along.y, towards));
    CkLight light = ckLightFrom(world, picture.turned * seen, picture.turned[2], 1.0);
    light = ckSeenThrough(air, light, 1.0 - seen.z, ckSelected());
    screen += 0.5 * ckScreenCurve(color * light.taken + light.added);
  }
  return screen;
}

// A random place of the body, the same one for an actor every time. False if none of six places is on the body.
bool ckFoundSomewhere(CkPicture picture, out CkCellPixel pixel, out vec4 form) {
  int level = max(int(ckCells.w) - 2, 0);
  ivec2 size = ckCellSize(level);
  float own = ckOwnShift(ckActorIndex());
  for (int i = 0; i < 6; ++i) {
    int number = int(fract(own + float(i) * 0.618033989) * float(size.x * size.y));
    pixel = ckPixelOf(picture, level, size, number);
    form = ckFormAt(pixel);
    if (form.a > fract(own * 16.0 + float(i) * 0.754877669)) return true;
  }
  return false;
}

// Of a body that is round about the picture's vertical, so that the light is about the mean on the body.
const float kRound = 0.7;

// The mean colour of the body; `covered` as in main().
vec3 ckMeanLit(CkPicture picture, vec4 air, vec3 tint, float covered) {
  int last = int(ckCells.w);
  ivec2 size = ckCellSize(last);
  vec3 color = vec3(0.0);
  for (int i = 0; i < size.x * size.y; ++i) {
    CkCellPixel pixel = ckPixelOf(picture, last, size, i);
    vec4 form = ckFormAt(pixel);
    color += ckLitAt(picture, air, pixel, form, tint, kRound) * form.a / float(size.x * size.y);
  }
  return color / max(covered, 1e-3);
}
#endif

void main() {
  CkActor actor = ckActor();
  CkPicture picture = ckPictureOf(actor);
  gl_Position = ckGuarded(picture.clip);
  // The share of the cell that the body covers. The smallest level has one or two pixels, side by side or one
  // above the other.
  float covered = 0.0;
  ivec2 size = ckCellSize(int(ckCells.w));
  for (int i = 0; i < size.x * size.y; ++i) {
    covered += ckFormAt(ckPixelOf(picture, int(ckCells.w), size, i)).a / float(size.x * size.y);
  }
  float pixels = covered * ckCells.x * ckCells.y / max(abs(determinant(picture.fromScreen)), 1e-12);
  gl_PointSize = clamp(sqrt(pixels), 1.0, ckLargestPoint);
#if CK_PASS == 0
  vec3 tint = ckTint(uint(actor.look));
  vec4 air = vec4(ckAirColor(picture.world), ckAirAmount(picture.world));
  vec3 color;
  vec2 at = picture.center;
  CkCellPixel pixel;
  vec4 form;
  bool isShown = picture.clip.xyz != vec3(2.0);
  if (pixels < 1.0 && isShown && ckFoundSomewhere(picture, pixel, form)) {
    color = ckLitAt(picture, air, pixel, form, tint, 0.0);
    vec4 clip = ckViewProjection * vec4(ckPlaceOf(picture, pixel, form), 1.0);
    gl_Position = ckGuarded(clip);
    at = ckScreen.xy + (clip.xy / clip.w * 0.5 + 0.5) * ckScreen.zw;
  } else {
    color = ckMeanLit(picture, air, tint, covered);
  }
  vColor = vec4(color, 1.0) * ckPointCover(max(pixels, ckSelected()), at, ckActorIndex());
#elif CK_PASS == 1
  vId = uint(ckFirstId + ckActorIndex());
#endif
#ifdef CK_DISSOLVE
  ckDissolving(actor.look);
#endif
}
