// Reads a vertex that was skinned before: one texel with position and packed normal; the packed
// tangent has its own texel.
// CK_SHARED: 1 if actors at the same moment share vertices.
// CK_FOLD_WORLD: 1 if vertices are in world space, else in model space.
uniform isamplerBuffer ckSkinnedVertices;
#if CK_TANGENTS
uniform isamplerBuffer ckSkinnedTangents;
#endif
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
  int at = ckFirstVertex + slot * ckVertexCount + gl_VertexID;
  ivec4 vertex = texelFetch(ckSkinnedVertices, at);
  CkSkinned skinned;
  skinned.position = intBitsToFloat(vertex.xyz);
  skinned.normal = vec3(ivec3(vertex.w << 22, vertex.w << 12, vertex.w << 2) >> 22) / 511.0;
#if CK_TANGENTS
  skinned.tangent = ckUnpackTangent(texelFetch(ckSkinnedTangents, at).x);
#endif
#if CK_FOLD_WORLD
  return skinned;
#else
  return ckInWorld(actor, skinned);
#endif
}
