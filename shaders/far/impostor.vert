#version 330 core
// A far actor as its picture: one point as large as the picture is on the screen.
// CK_PASS: as in crowd/actor.vert. CK_SHADOWS: places in the world are needed. CK_DISSOLVE:
// as in crowd/actor.vert.
#include "far/picture.glsl"
#include "far/covered.glsl"
#include "crowd/material.glsl"
#ifdef CK_DISSOLVE
#include "crowd/dissolving.glsl"
#endif

// Few and flat, because software renderers process each of them for every actor. "Pixels" are those of
// the level of detail.
flat out vec4 vMap;         // from the screen to pixels
flat out vec4 vCenterCell;  // CkPicture::center; the cell's middle, pixels
flat out vec4 vOuterLayer;  // half a cell, pixels; layer of the form, its fraction shifts the noise; level
#if CK_PASS == 0
flat out vec4 vRightSelected;  // CkPicture::turned
flat out vec3 vUp;
flat out vec3 vTowards;
flat out vec4 vTintAir;     // tint; amount of air
flat out vec3 vAirColor;
#ifdef CK_SHADOWS
flat out mat3 vPlaced;      // CkPicture::placed
flat out vec3 vMiddle;
#else
flat out vec4 vHeights;     // the second row of CkPicture::placed, and the middle's height
#endif
#elif CK_PASS == 1
uniform int ckFirstId;
flat out uint vId;
#endif

void main() {
  CkActor actor = ckActor();
  CkPicture picture = ckPictureOf(actor);
  gl_Position = ckGuarded(picture.clip);
  gl_PointSize = min(2.0 * max(picture.reach.x, picture.reach.y) + 1.0, ckLargestPoint);
  float size = exp2(picture.level);
  vMap = vec4(picture.fromScreen[0], picture.fromScreen[1]) / size;
  vCenterCell = vec4(picture.center, picture.cell / size);
  float shift = ckOwnShift(ckActorIndex());
  vOuterLayer = vec4(0.5 * ckCells.xy / size, float(2 * picture.direction + 1) + shift, picture.level);
#if CK_PASS == 0
  vRightSelected = vec4(picture.turned[0], ckSelected());
  vUp = picture.turned[1];
  vTowards = picture.turned[2];
  vTintAir = vec4(ckTint(uint(actor.look)), ckAirAmount(picture.world));
  vAirColor = ckAirColor(picture.world);
  picture.placed[0] *= size;
  picture.placed[1] *= size;
#ifdef CK_SHADOWS
  vPlaced = picture.placed;
  vMiddle = picture.world;
#else
  vHeights = vec4(picture.placed[0].y, picture.placed[1].y, picture.placed[2].y, picture.world.y);
#endif
#elif CK_PASS == 1
  vId = uint(ckFirstId + ckActorIndex());
#endif
#ifdef CK_DISSOLVE
  ckDissolving(actor.look);
#endif
}
