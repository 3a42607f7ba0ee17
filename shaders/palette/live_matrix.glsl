// The skin matrix of a joint whose own matrix the CPU has posed (core/anim/live_poser.h).
uniform samplerBuffer ckLiveJoints;  // slot by slot, three rows per posed joint
uniform samplerBuffer ckBinds;       // per skin joint: which posed joint (x), then three rows
uniform int ckPosedCount;
uniform int ckJointCount;

CkMatrix ckJointMatrix(int slot, int joint) {
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
