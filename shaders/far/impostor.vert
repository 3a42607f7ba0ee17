#version 330 core
// A far actor as its picture: one point as large as the picture is on the screen.
// CK_PASS: as in crowd/actor.vert. CK_SHADOWS: places in the world are needed.
#include "far/picture.glsl"
#include "crowd/material.glsl"

// Few and flat, because software renderers process each of them for every actor.
flat out vec4 vMap;          // CkPicture::fromScreen
flat out vec4 vCenterCell;
flat out vec2 vLayerLevel;
#if CK_PASS == 0
flat out mat3 vTurned;
flat out vec4 vToEyeSelected;
flat out vec4 vAir;
flat out vec3 vTint;
#ifdef CK_SHADOWS
flat out mat3 vPlaced;
flat out vec3 vMiddle;
#else
flat out vec4 vHeights;      // the second row of CkPicture::placed, and the middle's height
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
  vMap = vec4(picture.fromScreen[0], picture.fromScreen[1]);
  vCenterCell = vec4(picture.center, picture.cell);
  vLayerLevel = vec2(float(2 * picture.direction), ckLevelOf(picture));
#if CK_PASS == 0
  vTurned = picture.turned;
  vToEyeSelected = vec4(ckTowardsEye(picture.world), ckSelected());
  vAir = vec4(ckAirColor(picture.world), ckAirAmount(picture.world));
  vTint = ckTint(uint(actor.look));
#ifdef CK_SHADOWS
  vPlaced = picture.placed;
  vMiddle = picture.world;
#else
  vHeights = vec4(picture.placed[0].y, picture.placed[1].y, picture.placed[2].y, picture.world.y);
#endif
#elif CK_PASS == 1
  vId = uint(ckFirstId + ckActorIndex());
#endif
}
