// Morphs the bind vertex of an actor: from the accumulator for the selected actor, from sparse
// differences for actors near the eye.
uniform isamplerBuffer ckMorphSlots;     // per actor: row of weights, -1 none, -2 the selected
                                         // actor
uniform samplerBuffer ckMorphRows;       // weight - default, four per texel
uniform isamplerBuffer ckMorphVertices;  // per vertex: first entry, texels of entries, place
uniform samplerBuffer ckMorphEntries;    // two texels: position and column of the row; normal
uniform isamplerBuffer ckMorphSums;      // per place: position, normal
uniform int ckMorphRowTexels;
uniform vec2 ckMorphStep;  // size of an integer step, of position and normal; 0: float bits

// `vertex` is the index of the welded vertex; `position` and `normal` have default weights.
void ckMorph(int actor, int vertex, inout vec3 position, inout vec3 normal) {
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
    return;
  }
  for (int i = run.x; i < run.x + run.y; i += 2) {
    vec4 entry = texelFetch(ckMorphEntries, i);
    int column = int(entry.w);
    float weight = texelFetch(ckMorphRows, slot * ckMorphRowTexels + column / 4)[column % 4];
    position += weight * entry.xyz;
    normal += weight * texelFetch(ckMorphEntries, i + 1).xyz;
  }
}
