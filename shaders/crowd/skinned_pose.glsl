// Takes a vertex that was skinned before, one texel: place and packed normal. CK_SHARED: actors that
// show the same moment share their vertices. CK_FOLD_WORLD: they are in world space, else in model
// space.
uniform isamplerBuffer ckSkinnedVertices;
uniform int ckVertexCount;
uniform int ckFirstVertex;  // of the first actor of this draw
#if CK_SHARED
uniform isamplerBuffer ckSlots;
#endif

CkSkinned ckSkin(CkActor actor) {
#if CK_SHARED
  int slot = texelFetch(ckSlots, gl_InstanceID).x;
#else
  int slot = gl_InstanceID;
#endif
  ivec4 vertex = texelFetch(ckSkinnedVertices, ckFirstVertex + slot * ckVertexCount + gl_VertexID);
  vec3 place = intBitsToFloat(vertex.xyz);
  vec3 normal = vec3(ivec3(vertex.w << 22, vertex.w << 12, vertex.w << 2) >> 22) / 511.0;
  CkSkinned skinned;
#if CK_FOLD_WORLD
  skinned.position = place;
  skinned.normal = normal;
#else
  vec3 scale = actor.scaleAlphaB.xyz;
  skinned.position = actor.positionAlphaA.xyz + ck_rotate(actor.rotation, scale * place);
  skinned.normal = ck_rotate(actor.rotation, normal * (scale.yzx * scale.zxy));
#endif
  skinned.errorMeters = 0.0;
  return skinned;
}
