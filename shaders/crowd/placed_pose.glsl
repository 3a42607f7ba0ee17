// A static object at the place of its record. It has no actor and no motion.
#define CK_STANDS

CkSkinned ckSkin(CkActor actor) {
  vec3 scale = actor.scaleAlphaB.xyz;
  CkSkinned skinned;
  skinned.position = actor.positionAlphaA.xyz + ck_rotate(actor.rotation, scale * aPosition);
  skinned.normal = ck_rotate(actor.rotation, aNormal.xyz * (scale.yzx * scale.zxy));
#if CK_TANGENTS
  skinned.tangent = ckTangentInWorld(actor, ckUnpackTangent(int(aTangent)));
#endif
  skinned.errorMeters = 0.0;
  return skinned;
}
