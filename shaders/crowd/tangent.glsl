// The tangent of a vertex, for stages compiled with CK_TANGENTS: xyz along u of the texture
// coordinates, w the side that v lies on, -1 or 1; all 0 where a mesh has none.
layout(location = 11) in uint aTangent;  // core/skinning/tangent_skinning.h packs it

vec4 ckUnpackTangent(int bits) {
  return vec4(vec3(ivec3(bits << 22, bits << 12, bits << 2) >> 22) / 511.0, float(bits >> 30));
}

// Where a matrix of this determinant mirrors, the side changes.
float ckSideAfter(float volume) { return volume < 0.0 ? -1.0 : 1.0; }

// The vertex's own tangent after the linear part with these rows, of any length.
vec4 ckTurnedTangent(vec3 x, vec3 y, vec3 z) {
  vec4 bound = ckUnpackTangent(int(aTangent));
  return vec4(dot(x, bound.xyz), dot(y, bound.xyz), dot(z, bound.xyz),
              bound.w * ckSideAfter(dot(x, cross(y, z))));
}

// From an actor's own space to the world.
vec4 ckTangentInWorld(CkActor actor, vec4 tangent) {
  vec3 scale = actor.scaleAlphaB.xyz;
  return vec4(ck_rotate(actor.rotation, scale * tangent.xyz),
              tangent.w * ckSideAfter(scale.x * scale.y * scale.z));
}

// At right angles to the normal, of unit length.
vec4 ckUprightTangent(vec3 normal, vec4 tangent) {
  float squared = max(dot(normal, normal), 1e-30);
  vec3 across = tangent.xyz - normal * (dot(normal, tangent.xyz) / squared);
  return vec4(across * inversesqrt(max(dot(across, across), 1e-30)), tangent.w);
}
