// Records of actors as texels (ActorStream::bindTexels()).
#include "shared/actor.glsl"

// CkActor, four texels each. Floats are stored as integers with their bits, because drivers may change the
// bits of integers in float textures.
uniform isamplerBuffer ckActors;

CkActor ckStoredActor(int index) {
  CkActor actor;
  actor.positionAlphaA = intBitsToFloat(texelFetch(ckActors, index * 4));
  actor.rotation = intBitsToFloat(texelFetch(ckActors, index * 4 + 1));
  actor.scaleAlphaB = intBitsToFloat(texelFetch(ckActors, index * 4 + 2));
  ivec4 integers = texelFetch(ckActors, index * 4 + 3);
  actor.frames = integers.xy;
  actor.look = integers.z;
  return actor;
}
