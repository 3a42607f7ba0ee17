// The tangent of a vertex, for stages with CK_TANGENTS: xyz along u of the texture coordinates, w
// the sign of the bitangent, -1 or 1. All 0 if the mesh has no tangents.
layout(location = 11) in uint aTangent;  // core/skinning/tangent_skinning.h packs it

vec4 ckUnpackTangent(int bits) {
  return vec4(vec3(ivec3(bits << 22, bits << 12, bits << 2) >> 22) / 511.0, float(bits >> 30));
}

// The tangent of the bind vertex, with the actor's morphs: any length. main() sets it first. The
// assignment stands before all uses, or Mesa warns that it is uninitialized.
vec4 ckBoundTangent;
void ckBindTangent() { ckBoundTangent = ckUnpackTangent(int(aTangent)); }

// The sign of the bitangent changes if the matrix with this determinant mirrors.
float ckSideAfter(float volume) { return volume < 0.0 ? -1.0 : 1.0; }

// The vertex's tangent multiplied by the linear part with these rows; any length.
vec4 ckTurnedTangent(vec3 x, vec3 y, vec3 z) {
  vec4 bound = ckBoundTangent;
  return vec4(dot(x, bound.xyz), dot(y, bound.xyz), dot(z, bound.xyz),
              bound.w * ckSideAfter(dot(x, cross(y, z))));
}

// Orthogonal to the normal, unit length.
vec4 ckUprightTangent(vec3 normal, vec4 tangent) {
  float squared = max(dot(normal, normal), 1e-30);
  vec3 across = tangent.xyz - normal * (dot(normal, tangent.xyz) / squared);
  return vec4(across * inversesqrt(max(dot(across, across), 1e-30)), tangent.w);
}
