// The bind vertex of an actor with its morph targets: from the accumulator for the hero, from sparse
// differences for actors near the eye. Vertices that no target moves have aNormal.w = 0.
uniform isamplerBuffer ckMorphSlots;     // per actor: a row of weights, -1 none, -2 the hero
uniform samplerBuffer ckMorphRows;       // weight - default, four a texel
uniform isamplerBuffer ckMorphVertices;  // per vertex: first entry, texels of entries, place
uniform samplerBuffer ckMorphEntries;    // two texels: position and column of the row; normal
uniform isamplerBuffer ckMorphSums;      // per place: position, normal
uniform int ckMorphRowTexels;
uniform vec2 ckMorphStep;  // what an integer sum counts, of position and normal; 0: bits of floats

vec3 ckMorphedPosition;
vec4 ckMorphedNormal;

void ckMorph() {
  ckMorphedPosition = aPosition;
  ckMorphedNormal = aNormal;
  if (aNormal.w == 0.0) return;
  int slot = texelFetch(ckMorphSlots, ckActorIndex()).x;
  if (slot == -1) return;
  ivec4 vertex = texelFetch(ckMorphVertices, gl_VertexID);
  if (slot < 0) {
    ivec4 position = texelFetch(ckMorphSums, vertex.z * 2);
    ivec4 normal = texelFetch(ckMorphSums, vertex.z * 2 + 1);
    if (ckMorphStep.x > 0.0) {
      ckMorphedPosition = vec3(position.xyz) * ckMorphStep.x;
      ckMorphedNormal.xyz = vec3(normal.xyz) * ckMorphStep.y;
    } else {
      ckMorphedPosition = intBitsToFloat(position.xyz);
      ckMorphedNormal.xyz = intBitsToFloat(normal.xyz);
    }
    return;
  }
  for (int i = vertex.x; i < vertex.x + vertex.y; i += 2) {
    vec4 position = texelFetch(ckMorphEntries, i);
    int column = int(position.w);
    float weight = texelFetch(ckMorphRows, slot * ckMorphRowTexels + column / 4)[column % 4];
    ckMorphedPosition += weight * position.xyz;
    ckMorphedNormal.xyz += weight * texelFetch(ckMorphEntries, i + 1).xyz;
  }
}

// What follows skins the morphed vertex.
#define aPosition ckMorphedPosition
#define aNormal ckMorphedNormal
