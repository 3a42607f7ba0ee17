// The record of the actor that a vertex belongs to, from a uniform block of CK_BATCH whole records,
// as the write-up draws.
#include "shared/actor.glsl"

layout(std140) uniform ckActorBlock { CkActor ckActors[CK_BATCH]; };
uniform int ckFirstActor;  // of this draw

CkActor ckActor() {
  return ckActors[gl_InstanceID];
}

// 1 for actors that are selected: the fraction of a second clip, which the write-up has not.
float ckSelected() {
  return ckActors[gl_InstanceID].scaleAlphaB.w;
}

int ckActorIndex() {
  return ckFirstActor + gl_InstanceID;
}
