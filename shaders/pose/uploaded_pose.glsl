// Reads a vertex that the CPU has skinned: two texels, position and error, then the normal.
uniform samplerBuffer ckSkinned;
#if CK_TANGENTS
uniform samplerBuffer ckUploadedTangents;  // one texel per vertex
#endif
uniform int ckVertexCount;

CkSkinned ckSkin(CkActor actor) {
  int vertex = gl_InstanceID * ckVertexCount + gl_VertexID;
  int at = vertex * 2;
  vec4 positionError = texelFetch(ckSkinned, at);
  CkSkinned skinned;
  skinned.position = positionError.xyz;
  skinned.normal = texelFetch(ckSkinned, at + 1).xyz;
#if CK_TANGENTS
  skinned.tangent = texelFetch(ckUploadedTangents, vertex);
#endif
#ifdef CK_ERROR
  skinned.errorMeters = positionError.w;
#endif
  return skinned;
}
