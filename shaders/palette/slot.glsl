// The matrix of one joint in one slot, for both ways to fill a palette. CK_LIVE: 0 from the atlas,
// 1 from matrices posed on the CPU. CK_FOLD_WORLD: 1 to multiply with the slot's actor transform.
#include "shared/actor.glsl"
#include "shared/quaternion.glsl"
#include "shared/pose.glsl"

uniform samplerBuffer ckPoses;        // the floats of a CkActor record per slot, three texels each
uniform isamplerBuffer ckPoseFrames;  // its integers, which floats would not preserve

#if CK_LIVE
#include "palette/live_matrix.glsl"
#else
#include "palette/joint_matrix.glsl"
#endif

CkMatrix ckSlotMatrix(int slot, int joint) {
  CkMatrix skin = ckJointMatrix(slot, joint);
#if CK_FOLD_WORLD
  vec3 place = texelFetch(ckPoses, slot * 3).xyz;
  vec4 turn = texelFetch(ckPoses, slot * 3 + 1);
  vec3 scale = texelFetch(ckPoses, slot * 3 + 2).xyz;
  skin = ck_matrixMul(ck_trsMatrix(place, turn, scale), skin);
#endif
  return skin;
}
