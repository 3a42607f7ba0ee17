// Takes a vertex that the CPU has skinned: two texels, position and error, then the normal.
uniform samplerBuffer ckSkinned;
uniform int ckVertexCount;

CkSkinned ckSkin(CkActor actor) {
  int at = (gl_InstanceID * ckVertexCount + gl_VertexID) * 2;
  vec4 positionError = texelFetch(ckSkinned, at);
  CkSkinned skinned;
  skinned.position = positionError.xyz;
  skinned.normal = texelFetch(ckSkinned, at + 1).xyz;
  skinned.errorMeters = positionError.w;
  return skinned;
}
