// The record of the vertex's actor as attributes: CkActor, or with CK_COMPACT_RECORD the compact record
// (one frame number, no fractions). They come from crowd/steady_record.vert, or are uploaded.
#include "shared/actor.glsl"

#ifdef CK_COMPACT_RECORD
layout(location = 6) in vec4 aPositionScale;
layout(location = 7) in vec4 aRotation;
layout(location = 8) in ivec2 aFrameLook;
#else
layout(location = 6) in vec4 aPositionAlphaA;
layout(location = 7) in vec4 aRotation;
layout(location = 8) in vec4 aScaleAlphaB;
layout(location = 9) in ivec3 aFramesLook;
#endif
layout(location = 10) in uint aSelected;
uniform int ckFirstActor;  // first actor of this draw

CkActor ckActor() {
  CkActor actor;
  actor.rotation = aRotation;
#ifdef CK_COMPACT_RECORD
  actor.positionAlphaA = vec4(aPositionScale.xyz, 0.0);
  actor.scaleAlphaB = vec4(aPositionScale.www, 0.0);
  actor.frames = ivec2(aFrameLook.x, -1);
  actor.look = aFrameLook.y;
#else
  actor.positionAlphaA = aPositionAlphaA;
  actor.scaleAlphaB = aScaleAlphaB;
  actor.frames = aFramesLook.xy;
  actor.look = aFramesLook.z;
#endif
  return actor;
}

float ckSelected() {
  return float(aSelected);
}

int ckActorIndex() {
  return ckFirstActor + gl_InstanceID;
}
