// The matrix of one joint in one slot, for both ways to fill a palette. CK_JOINT_FILE: from the atlas
// (joint_matrix.glsl), or from matrices posed on the CPU (live_matrix.glsl). CK_FOLD_WORLD: 1 to multiply
// with the slot's actor transform.
// CK_SLOT_ACTORS: 0 if slot i is of actor i, 1 if a list has the actor of every slot.
#include "crowd/actor_texels.glsl"
#include "shared/quaternion.glsl"
#include "shared/pose.glsl"

#if CK_SLOT_ACTORS
uniform isamplerBuffer ckSlotActors;
#endif

#include CK_JOINT_FILE

CkMatrix ckSlotMatrix(int slot, int joint) {
#if CK_SLOT_ACTORS
  CkActor actor = ckStoredActor(texelFetch(ckSlotActors, slot).x);
#else
  CkActor actor = ckStoredActor(slot);
#endif
  CkMatrix skin = ckJointMatrix(actor, slot, joint);
#if CK_FOLD_WORLD
  skin = ck_matrixMul(
      ck_trsMatrix(actor.positionAlphaA.xyz, actor.rotation, actor.scaleAlphaB.xyz), skin);
#endif
  return skin;
}
