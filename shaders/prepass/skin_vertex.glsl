// Skins one vertex with one slot of the palette, for both ways to store it. Writes a PackedVertex
// (core/skinning/fast_skinning.h).
// CK_INFLUENCES: 1, 2 or 4.
// CK_FOLD_WORLD: 1 if matrices lead to world space.
// CK_MORPHS: 1 if bind vertices come from crowd/morphs.glsl.
// CK_TANGENTS: 1 to skin tangents as well.
#if CK_FOLD_WORLD
#include "crowd/actor_texels.glsl"
#endif
#include "shared/quaternion.glsl"
#include "shared/pose.glsl"
#include "palette/rows.glsl"

uniform int ckVertexCount;
uniform int ckFirstTarget;              // the palette slot of target 0
uniform isamplerBuffer ckBindVertices;  // three texels each: position and x, y of the normal; four
                                        // joints, z and whether it morphs, the packed tangent; four
                                        // weights
#if CK_MORPHS
uniform isamplerBuffer ckTargetActors;  // the crowd's actor of every slot
#include "crowd/morphs.glsl"
#endif

uint ckPackNormal(vec3 normal) {
  ivec3 steps = ivec3(round(normal * (511.0 * inversesqrt(max(dot(normal, normal), 1e-30))))) & 1023;
  return uint(steps.x | (steps.y << 10) | (steps.z << 20));
}

struct CkStored {
  uvec4 vertex;
#if CK_TANGENTS
  uint tangent;
#endif
};

#if CK_TANGENTS
// The bound tangent, with the side of `bits`, multiplied by the rows, orthogonal to the normal
// (core/skinning/tangent_skinning.h).
uint ckSkinTangent(int bits, vec3 bound, CkMatrix rows, vec3 normal) {
  if (bits >> 30 == 0) return 0u;
  vec3 turned = vec3(dot(rows.x.xyz, bound), dot(rows.y.xyz, bound), dot(rows.z.xyz, bound));
  turned -= normal * (dot(normal, turned) / max(dot(normal, normal), 1e-30));
  bool mirrors = dot(rows.x.xyz, cross(rows.y.xyz, rows.z.xyz)) < 0.0;
  uint side = (bits < 0) != mirrors ? 3u : 1u;
  return ckPackNormal(turned) | (side << 30);
}
#endif

CkStored ckSkinVertex(int slot, int vertex) {
  ivec4 placeNormal = texelFetch(ckBindVertices, vertex * 3);
  ivec4 jointsNormal = texelFetch(ckBindVertices, vertex * 3 + 1);
  vec4 weights = intBitsToFloat(texelFetch(ckBindVertices, vertex * 3 + 2));
  int joints[4] = int[4](jointsNormal.x & 65535, (jointsNormal.x >> 16) & 65535,
                         jointsNormal.y & 65535, (jointsNormal.y >> 16) & 65535);
  CkMatrix sum = CkMatrix(vec4(0.0), vec4(0.0), vec4(0.0));
  float total = 0.0;
  for (int i = 0; i < CK_INFLUENCES; ++i) {
    // Influences are sorted by weight: the first empty one ends the loop.
    if (weights[i] <= 0.0) break;
    sum = ck_matrixPlus(sum, ckRowsOf(slot, joints[i]), weights[i]);
    total += weights[i];
  }
  vec3 rest = intBitsToFloat(placeNormal.xyz);
  vec3 n = vec3(float((placeNormal.w << 16) >> 16), float(placeNormal.w >> 16),
                float((jointsNormal.z << 16) >> 16)) / 32767.0;
  int bits = jointsNormal.w;
  vec3 tangent = vec3(ivec3(bits << 22, bits << 12, bits << 2) >> 22) / 511.0;
#if CK_MORPHS
  if (jointsNormal.z >> 16 != 0) {
    ckMorph(texelFetch(ckTargetActors, slot).x, vertex, rest, n, tangent);
  }
#endif
  vec3 place = ck_matrixPoint(sum, rest) / max(total, 1e-20);
  vec3 normal = ck_matrixNormal(sum, n);
#if CK_FOLD_WORLD
  // A vertex without influences stays at its actor's place.
  if (total <= 0.0) place = ckStoredActor(slot).positionAlphaA.xyz;
#endif
  CkStored stored;
  stored.vertex = uvec4(floatBitsToUint(place), ckPackNormal(total > 0.0 ? normal : n));
#if CK_TANGENTS
  stored.tangent = total > 0.0 ? ckSkinTangent(bits, tangent, sum, normal) : uint(bits);
#endif
  return stored;
}
