// The record of a far actor, which is a vertex and no instance (render/far/far_records.h). What follows
// from the crowd's time alone is computed here, so that a crowd that plays on uploads nothing.
#include "shared/actor.glsl"
#include "shared/quaternion.glsl"
#include "shared/steady.glsl"

// Integers with the bits of floats, because drivers do not change the bits of integers.
layout(location = 6) in ivec4 aPositionLook;
layout(location = 7) in vec4 aRotation;
layout(location = 8) in vec2 aScaleRadius;  // of the circle that it walks round, metres
layout(location = 9) in ivec4 aFrames;      // CkFrames or CkLoop
layout(location = 10) in uint aNumber;
layout(location = 11) in ivec2 aWalk;       // how fast it goes round, as CkLoop has its pace; 0: it stands
uniform ivec4 ckTimeLook;        // loopTime() in core/anim/playback.h, in halves; of the look, bits kept and set
uniform isamplerBuffer ckLoops;  // of every clip: the first frame; intervals

CkActor ckActor() {
  uint timeLow = uint(ckTimeLook.x);
  uint timeHigh = uint(ckTimeLook.y);
  CkStand stand = ck_roundCircle(intBitsToFloat(aPositionLook.xyz), aRotation, aScaleRadius.y,
                                 ck_loopGone(timeLow, timeHigh, uint(aWalk.x), uint(aWalk.y)));
  CkPlace place;
  place.position = stand.position;
  place.look = (aPositionLook.w & ckTimeLook.z) | ckTimeLook.w;
  place.rotation = stand.rotation;
  place.scale = vec3(aScaleRadius.x);
  CkFrames frames;
  if (aFrames.z < -1) {
    int clip = 2 * ck_clipOfLoop(aFrames.z);
    uint gone = ck_loopGone(timeLow, timeHigh, uint(aFrames.y), uint(aFrames.w));
    frames = ck_framesOfLoop(uint(aFrames.x) + gone, texelFetch(ckLoops, clip).x,
                             texelFetch(ckLoops, clip + 1).x);
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
