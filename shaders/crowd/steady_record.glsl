// The record of an actor as a vertex, not as an instance (render/skinning/crowd_records.h). Numbers that
// follow from the crowd's time alone are computed here, so that a crowd that plays on uploads nothing.
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
// For every clip: the first frame; intervals; where its own entries begin, or -1 if its moments are its
// frames. An entry has three numbers, one entry an interval and one for the end: the frame in the clip;
// the bits of an offset and of a share (ck_framesOfInterval()).
uniform isamplerBuffer ckClips;

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
    int clip = 3 * ck_numberOfPlayed(aFrames.z);
    int first = texelFetch(ckClips, clip).x;
    int intervals = texelFetch(ckClips, clip + 1).x;
    int entries = texelFetch(ckClips, clip + 2).x;
    frames = ck_framesOfPlay(play, ckTime, first, intervals);
    if (entries >= 0) {
      int own = frames.frameA - first + (ck_isAtEnd(play, frames, first, intervals) ? 1 : 0);
      own = entries + 3 * own;
      frames = ck_framesOfInterval(frames, first + texelFetch(ckClips, own).x,
                                   intBitsToFloat(texelFetch(ckClips, own + 1).x),
                                   intBitsToFloat(texelFetch(ckClips, own + 2).x));
    }
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
