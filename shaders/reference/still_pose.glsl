// The bind pose at the actor's place. Benches use it to measure the cost of triangles without
// skinning.
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
