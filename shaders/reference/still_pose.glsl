// The bind pose where the actor is: what the same triangles cost without any skinning, for benches.
CkSkinned ckSkin(CkActor actor) {
  CkSkinned skinned;
  skinned.position = actor.positionAlphaA.xyz + aPosition;
  skinned.normal = aNormal.xyz;
#if CK_TANGENTS
  skinned.tangent = ckUnpackTangent(int(aTangent));
#endif
  skinned.errorMeters = 0.0;
  return skinned;
}
