// The picture of a far actor: which one is shown, and how it lies on the screen. For vertex shaders.
#include "crowd/steady_record.glsl"
#include "crowd/look.glsl"
#include "far/guard.glsl"
#include "far/on_screen.glsl"

uniform mat4 ckViewProjection;
uniform vec4 ckEyePoint;       // the eye that ckViewProjection has; w = 0: the direction towards it
uniform vec4 ckCells;          // width, height, columns of a sheet, largest level of detail
uniform vec4 ckRings[4];       // of directions: their number, index of the first
uniform isamplerBuffer ckImpostorFrames;      // the moment of every frame
uniform samplerBuffer ckImpostorMoments;      // center; half of the box
// Right, the direction's number; up; towards, depth in pixels. Where a direction has no pictures yet,
// this is its nearest one that has.
uniform samplerBuffer ckImpostorDirections;

struct CkPicture {
  vec4 clip;        // of the body's middle; outside of the image if there is nothing to see
  vec2 center;      // pixels
  vec3 world;       // of the middle
  mat2 fromScreen;  // from pixels off the center to pixels of the picture off its middle
  float level;      // of detail, of which a pixel is half a pixel of the screen up to one
  vec2 reach;       // of the picture on the screen from the center to each side, pixels
  int direction;
  vec2 cell;        // the picture's middle on its sheet, pixels
  mat3 placed;      // from right, up (pixels of the picture) and depth (-1 to 1) to metres in the world
  mat3 turned;      // from the picture's axes to the world, of unit length
};

int ckMomentOf(CkActor actor) {
  bool second = ck_lookBlend(actor.look) >= 0.5 && actor.frames.y >= 0;
  float frame = second ? float(actor.frames.y) + actor.scaleAlphaB.w
                       : float(actor.frames.x) + actor.positionAlphaA.w;
  int last = textureSize(ckImpostorFrames) - 1;
  return texelFetch(ckImpostorFrames, clamp(int(frame + 0.5), 0, last)).x;
}

CkPicture ckPictureOf(CkActor actor) {
  CkPicture picture;
  int moment = ckMomentOf(actor);
  vec3 middle = texelFetch(ckImpostorMoments, moment * 2).xyz;
  vec3 extent = texelFetch(ckImpostorMoments, moment * 2 + 1).xyz;
  vec3 scale = actor.scaleAlphaB.xyz;
  mat3 turn = mat3(ck_rotate(actor.rotation, vec3(1.0, 0.0, 0.0)),
                   ck_rotate(actor.rotation, vec3(0.0, 1.0, 0.0)),
                   ck_rotate(actor.rotation, vec3(0.0, 0.0, 1.0)));
  mat3 own = mat3(turn[0] * scale.x, turn[1] * scale.y, turn[2] * scale.z);
  picture.world = actor.positionAlphaA.xyz + own * middle;
  picture.clip = ckViewProjection * vec4(picture.world, 1.0);
  vec2 ndc = picture.clip.xy / picture.clip.w;
  picture.center = ckScreen.xy + (ndc * 0.5 + 0.5) * ckScreen.zw;

  vec3 sight = (ckEyePoint.xyz - picture.world * ckEyePoint.w) * turn / scale;
  int nearest = ckNearestDirection(normalize(sight), ckRings);
  vec4 right = texelFetch(ckImpostorDirections, nearest * 3);
  vec3 up = texelFetch(ckImpostorDirections, nearest * 3 + 1).xyz;
  vec4 towards = texelFetch(ckImpostorDirections, nearest * 3 + 2);
  picture.direction = int(right.w);
  CkOnScreen on = ckOnScreen(ckViewProjection, picture.clip, ckScreen.zw, own, extent, right.xyz, up, ckCells.xy);
  picture.fromScreen = on.fromScreen;
  picture.reach = abs(on.toScreen[0]) * on.seen.x + abs(on.toScreen[1]) * on.seen.y;

  int columns = int(ckCells.z);
  picture.cell = (vec2(moment % columns, moment / columns) + 0.5) * ckCells.xy;
  picture.placed = own * mat3(right.xyz, up, towards.xyz * towards.w) * on.metersPerPixel;
  // Scales are even; a mirroring one turns all axes round.
  picture.turned = turn * mat3(right.xyz, up, towards.xyz) * sign(scale.x);
  picture.level = ckLevelOnScreen(on, ckCells.w);
  if (picture.clip.w <= 0.0 || scale.x == 0.0) picture.clip = vec4(2.0, 2.0, 2.0, 1.0);
  return picture;
}
