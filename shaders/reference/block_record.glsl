// The record of the vertex's actor from a uniform block of CK_BATCH whole records, as in the book.
#include "shared/actor.glsl"

layout(std140) uniform ckActorBlock { CkActor ckActors[CK_BATCH]; };
uniform int ckFirstActor;  // first actor of this draw

CkActor ckActor() {
  return ckActors[gl_InstanceID];
}

// 1 for selected actors. It is stored in the fraction of the second clip, which the book does not
// have.
float ckSelected() {
  return ckActors[gl_InstanceID].scaleAlphaB.w;
}

int ckActorIndex() {
  return ckFirstActor + gl_InstanceID;
}
