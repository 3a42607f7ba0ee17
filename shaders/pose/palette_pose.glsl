// Skins a vertex from the palette, whose matrices need no decoding. Include palette/rows.glsl
// first.
// CK_INFLUENCES: 1, 2 or 4.
// CK_FOLD_WORLD: 1 if matrices lead to world space and slot = instance, 0 if they lead to model space
//   and actors share slots.
#if !CK_FOLD_WORLD
uniform isamplerBuffer ckSlots;
#endif

CkSkinned ckSkin(CkActor actor) {
#if CK_FOLD_WORLD
  int slot = ckActorIndex();
#else
  int slot = texelFetch(ckSlots, ckActorIndex()).x;
#endif
  CkMatrix sum = CkMatrix(vec4(0.0), vec4(0.0), vec4(0.0));
  float total = 0.0;
  for (int i = 0; i < CK_INFLUENCES; ++i) {
    float weight = ckWeight(i);
    // Influences are sorted by weight: the first empty one ends the loop.
    if (weight <= 0.0) break;
    sum = ck_matrixPlus(sum, ckRowsOf(slot, ckSkinJoint(i)), weight);
    total += weight;
  }
  CkSkinned skinned = ckMovedBy(sum, total);
#if CK_FOLD_WORLD
  // A vertex without influences stays at its actor's place.
  if (total <= 0.0) skinned.position = actor.positionAlphaA.xyz;
  return skinned;
#else
  return ckInWorld(actor, skinned);
#endif
}
