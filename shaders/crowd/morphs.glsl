// Morphs the bind vertex of an actor: from the accumulator for the selected actor, from sparse
// differences for actors near the eye.
// CK_TANGENTS: 1 if tangents are morphed as well.
uniform isamplerBuffer ckMorphSlots;     // per actor: row of weights, -1 none, -2 the selected
                                         // actor; then per place: packed tangent of the selected
                                         // actor (core/skinning/tangent_skinning.h)
uniform samplerBuffer ckMorphRows;       // weight - default, four per texel
uniform isamplerBuffer ckMorphVertices;  // per vertex: first entry, texels of entries, place
uniform samplerBuffer ckMorphEntries;    // position and column of the row; normal; with three
                                         // texels the tangent
uniform isamplerBuffer ckMorphSums;      // per place: position, normal
uniform int ckMorphRowTexels;
uniform ivec4 ckMorphTangents;  // texels of an entry; first tangent in ckMorphSlots, or -1
uniform vec2 ckMorphStep;  // size of an integer step, of position and normal; 0: float bits

// `vertex` is the index of the welded vertex; `position`, `normal` and `tangent` have default
// weights.
void ckMorph(int actor, int vertex, inout vec3 position, inout vec3 normal, inout vec3 tangent) {
  int slot = texelFetch(ckMorphSlots, actor).x;
  if (slot == -1) return;
  ivec4 run = texelFetch(ckMorphVertices, vertex);
  if (slot < 0) {
    ivec4 positionSum = texelFetch(ckMorphSums, run.z * 2);
    ivec4 normalSum = texelFetch(ckMorphSums, run.z * 2 + 1);
    if (ckMorphStep.x > 0.0) {
      position = vec3(positionSum.xyz) * ckMorphStep.x;
      normal = vec3(normalSum.xyz) * ckMorphStep.y;
    } else {
      position = intBitsToFloat(positionSum.xyz);
      normal = intBitsToFloat(normalSum.xyz);
    }
#if CK_TANGENTS
    if (ckMorphTangents.y >= 0) {
      int bits = texelFetch(ckMorphSlots, ckMorphTangents.y + run.z).x;
      // Places without a tangent have 0.
      if (bits >> 30 != 0) tangent = vec3(ivec3(bits << 22, bits << 12, bits << 2) >> 22) / 511.0;
    }
#endif
    return;
  }
  for (int i = run.x; i < run.x + run.y; i += ckMorphTangents.x) {
    vec4 entry = texelFetch(ckMorphEntries, i);
    int column = int(entry.w);
    float weight = texelFetch(ckMorphRows, slot * ckMorphRowTexels + column / 4)[column % 4];
    position += weight * entry.xyz;
    normal += weight * texelFetch(ckMorphEntries, i + 1).xyz;
#if CK_TANGENTS
    if (ckMorphTangents.x > 2) tangent += weight * texelFetch(ckMorphEntries, i + 2).xyz;
#endif
  }
}
