// The record of the vertex's actor.
// CK_RECORD: 0 place and frames as attributes, 1 the compact record (one frame number, no
//   fractions), 2 the whole record from a uniform block of CK_BATCH actors, as in the book.
#include "shared/actor.glsl"

#if CK_RECORD == 0
// A place and the frames as integer attributes with the bits of the floats, because drivers do not
// change the bits of integers.
layout(location = 6) in ivec4 aPositionLook;
layout(location = 7) in vec4 aRotation;
layout(location = 8) in vec3 aScale;
layout(location = 9) in ivec4 aFrames;
#elif CK_RECORD == 1
layout(location = 6) in vec4 aPositionScale;
layout(location = 7) in vec4 aRotation;
layout(location = 8) in ivec2 aFrameLook;
#elif CK_RECORD == 2
layout(std140) uniform ckActorBlock { CkActor ckActors[CK_BATCH]; };
#endif
uniform int ckFirstActor;  // first actor of this draw

#if CK_RECORD != 2
layout(location = 10) in uint aSelected;
#endif

CkActor ckActor() {
#if CK_RECORD == 2
  return ckActors[gl_InstanceID];
#elif CK_RECORD == 0
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
#else
  CkActor actor;
  actor.rotation = aRotation;
  actor.positionAlphaA = vec4(aPositionScale.xyz, 0.0);
  actor.scaleAlphaB = vec4(aPositionScale.www, 0.0);
  actor.frames = ivec4(aFrameLook.x, -1, -1, aFrameLook.y);
  return actor;
#endif
}

// 1 for selected actors. The uniform block passes this in an unused fraction.
float ckSelected() {
#if CK_RECORD == 2
  return ckActors[gl_InstanceID].scaleAlphaB.w;
#else
  return float(aSelected);
#endif
}

int ckActorIndex() {
  return ckFirstActor + gl_InstanceID;
}
