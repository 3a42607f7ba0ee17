// The record of the vertex's actor: place and frames as attributes, or with CK_COMPACT_RECORD the
// compact record (one frame number, no fractions).
#include "shared/actor.glsl"

#ifdef CK_COMPACT_RECORD
layout(location = 6) in vec4 aPositionScale;
layout(location = 7) in vec4 aRotation;
layout(location = 8) in ivec2 aFrameLook;
#else
// A place and the frames as integer attributes with the bits of the floats, because drivers do not
// change the bits of integers.
layout(location = 6) in ivec4 aPositionLook;
layout(location = 7) in vec4 aRotation;
layout(location = 8) in vec3 aScale;
layout(location = 9) in ivec4 aFrames;
#endif
layout(location = 10) in uint aSelected;
uniform int ckFirstActor;  // first actor of this draw

CkActor ckActor() {
#ifdef CK_COMPACT_RECORD
  CkActor actor;
  actor.rotation = aRotation;
  actor.positionAlphaA = vec4(aPositionScale.xyz, 0.0);
  actor.scaleAlphaB = vec4(aPositionScale.www, 0.0);
  actor.frames = ivec2(aFrameLook.x, -1);
  actor.look = aFrameLook.y;
  return actor;
#else
  CkPlace place;
  place.position = intBitsToFloat(aPositionLook.xyz);
  place.look = aPositionLook.w;
  place.rotation = aRotation;
  place.scale = aScale;
  CkFrames frames;
  frames.frameA = aFrames.x;
  frames.alphaA = intBitsToFloat(aFrames.y);
  frames.frameB = aFrames.z;
  frames.alphaB = intBitsToFloat(aFrames.w);
  return ck_actorOf(place, frames);
#endif
}

float ckSelected() {
  return float(aSelected);
}

int ckActorIndex() {
  return ckFirstActor + gl_InstanceID;
}
