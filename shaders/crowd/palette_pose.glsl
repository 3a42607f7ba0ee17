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
  vec4 x = vec4(0.0);
  vec4 y = vec4(0.0);
  vec4 z = vec4(0.0);
  float sum = 0.0;
  for (int i = 0; i < CK_INFLUENCES; ++i) {
    float weight = ckWeight(i);
    // Influences are sorted by weight: the first empty one ends the loop.
    if (weight <= 0.0) break;
    CkRows rows = ckRowsOf(slot, ckSkinJoint(i));
    x += weight * rows.x;
    y += weight * rows.y;
    z += weight * rows.z;
    sum += weight;
  }
  vec4 bind = vec4(aPosition, 1.0);
  vec3 position = vec3(dot(x, bind), dot(y, bind), dot(z, bind)) / max(sum, 1e-20);
  // The cofactors of the blended matrix: correct for non-uniform and mirroring scales.
  vec3 normal = vec3(dot(cross(y.xyz, z.xyz), aNormal.xyz), dot(cross(z.xyz, x.xyz), aNormal.xyz),
                     dot(cross(x.xyz, y.xyz), aNormal.xyz));
  CkSkinned skinned;
#if CK_FOLD_WORLD
  // A vertex without influences stays at its actor's place.
  skinned.position = sum > 0.0 ? position : actor.positionAlphaA.xyz;
  skinned.normal = normal;
#if CK_TANGENTS
  skinned.tangent = ckTurnedTangent(x.xyz, y.xyz, z.xyz);
#endif
#else
  vec3 scale = actor.scaleAlphaB.xyz;
  skinned.position = actor.positionAlphaA.xyz + ck_rotate(actor.rotation, scale * position);
  skinned.normal = ck_rotate(actor.rotation, normal * (scale.yzx * scale.zxy));
#if CK_TANGENTS
  skinned.tangent = ckTangentInWorld(actor, ckTurnedTangent(x.xyz, y.xyz, z.xyz));
#endif
#endif
  skinned.errorMeters = 0.0;
  return skinned;
}
