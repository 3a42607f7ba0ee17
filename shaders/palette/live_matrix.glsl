// The skin matrix of a joint whose global matrix was computed on the CPU (core/anim/live_poser.h).
uniform samplerBuffer ckLiveJoints;  // three rows per posed joint, slot-major
uniform samplerBuffer ckBinds;       // per skin joint: index of its posed joint (x), then three
                                     // rows
uniform int ckPosedCount;
uniform int ckJointCount;

CkMatrix ckJointMatrix(CkActor actor, int slot, int joint) {
  int posed = int(texelFetch(ckBinds, joint * 4).x);
  CkMatrix bind;
  bind.x = texelFetch(ckBinds, joint * 4 + 1);
  bind.y = texelFetch(ckBinds, joint * 4 + 2);
  bind.z = texelFetch(ckBinds, joint * 4 + 3);
  int at = (slot * ckPosedCount + posed) * 3;
  CkMatrix own;
  own.x = texelFetch(ckLiveJoints, at);
  own.y = texelFetch(ckLiveJoints, at + 1);
  own.z = texelFetch(ckLiveJoints, at + 2);
  return ck_matrixMul(own, bind);
}
