// The matrix of one joint in one slot, for both ways to fill a palette. CK_LIVE: 0 from the atlas,
// 1 from matrices posed on the CPU. CK_FOLD_WORLD: 1 to multiply with the slot's actor transform.
// CK_SLOT_ACTORS: 0 if slot i is of actor i, 1 if a list has the actor of every slot.
#include "crowd/actor_texels.glsl"
#include "shared/quaternion.glsl"
#include "shared/pose.glsl"

#if CK_SLOT_ACTORS
uniform isamplerBuffer ckSlotActors;
#endif

#if CK_LIVE
#include "palette/live_matrix.glsl"
#else
#include "palette/joint_matrix.glsl"
#endif

CkMatrix ckSlotMatrix(int slot, int joint) {
#if CK_SLOT_ACTORS
  CkActor actor = ckStoredActor(texelFetch(ckSlotActors, slot).x);
#else
  CkActor actor = ckStoredActor(slot);
#endif
#if CK_LIVE
  CkMatrix skin = ckJointMatrix(slot, joint);
#else
  CkMatrix skin = ckJointMatrix(actor, joint);
#endif
#if CK_FOLD_WORLD
  skin = ck_matrixMul(
      ck_trsMatrix(actor.positionAlphaA.xyz, actor.rotation, actor.scaleAlphaB.xyz), skin);
#endif
  return skin;
}
