// The bind pose at the actor's place. Benches use it to measure the cost of triangles without
// skinning.
CkSkinned ckSkin(CkActor actor) {
  CkSkinned skinned = ckBindVertex();
  skinned.position += actor.positionAlphaA.xyz;
  return skinned;
}
