// The record of an actor as a vertex, not as an instance (render/skinning/crowd_records.h). What follows
// from the crowd's time alone is computed here, so that a crowd that plays on uploads nothing.
#include "shared/actor.glsl"
#include "shared/quaternion.glsl"
#include "shared/steady.glsl"

// Integers with the bits of floats, because drivers do not change the bits of integers.
layout(location = 6) in ivec4 aPositionLook;
layout(location = 7) in vec4 aRotation;
layout(location = 8) in vec2 aScaleRadius;  // of the circle that it walks round, metres
layout(location = 9) in ivec4 aFrames;      // CkFrames or CkPlay
layout(location = 10) in uint aNumber;
layout(location = 11) in ivec2 aWalk;       // how fast it goes round, as CkPlay has its pace; 0: it stands
uniform ivec4 ckTime;            // loopTime() and heldTime() in core/anim, in halves
uniform int ckLookKept;          // bits of the look that are kept, and that are set
uniform int ckLookSet;
uniform isamplerBuffer ckClips;  // of every clip: the first frame; intervals

CkActor ckActor() {
  CkStand stand = ck_roundCircle(intBitsToFloat(aPositionLook.xyz), aRotation, aScaleRadius.y,
                                 ck_loopGone(uint(ckTime.x), uint(ckTime.y), uint(aWalk.x), uint(aWalk.y)));
  CkPlace place;
  place.position = stand.position;
  place.look = (aPositionLook.w & ckLookKept) | ckLookSet;
  place.rotation = stand.rotation;
  place.scale = vec3(aScaleRadius.x);
  CkFrames frames;
  if (aFrames.z < -1) {
    CkPlay play;
    play.start = aFrames.x;
    play.paceLow = aFrames.y;
    play.clip = aFrames.z;
    play.paceHigh = aFrames.w;
    int clip = 2 * ck_numberOfPlayed(aFrames.z);
    frames = ck_framesOfPlay(play, ckTime, texelFetch(ckClips, clip).x, texelFetch(ckClips, clip + 1).x);
  } else {
    frames.frameA = aFrames.x;
    frames.alphaA = intBitsToFloat(aFrames.y);
    frames.frameB = aFrames.z;
    frames.alphaB = intBitsToFloat(aFrames.w);
  }
  return ck_actorOf(place, frames);
}

float ckSelected() {
  return float(aNumber >> 31u);
}

int ckActorIndex() {
  return int(aNumber & 0x7fffffffu);
}
