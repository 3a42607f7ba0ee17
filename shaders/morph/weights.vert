#version 330 core
// Computes the morph weights of near actors minus the defaults, four per vertex, for transform
// feedback: the baked weights of their frames, blended where an actor fades, then replaced by the
// actor's own weights. core/crowd/morph_rows.h computes the same on the CPU.
uniform isamplerBuffer ckNearActors;   // two texels per actor: frames A and B or -1, first own
                                       // weight, number of own weights; bits of alpha A, alpha B
                                       // and the blend
uniform samplerBuffer ckFrameWeights;  // ckFrameTexels for every frame of the atlas
uniform samplerBuffer ckOwnWeights;    // column, weight - default
uniform int ckMorphRowTexels;
uniform int ckFrameTexels;
uniform int ckFrameCount;
out vec4 vWeights;

vec4 ckFrameWeightsAt(int frame, int texel, float alpha) {
  int low = clamp(frame, 0, ckFrameCount - 1);
  int high = clamp(frame + 1, 0, ckFrameCount - 1);
  return mix(texelFetch(ckFrameWeights, low * ckFrameTexels + texel),
             texelFetch(ckFrameWeights, high * ckFrameTexels + texel), alpha);
}

void main() {
  int actor = gl_VertexID / ckMorphRowTexels;
  int texel = gl_VertexID % ckMorphRowTexels;
  ivec4 frames = texelFetch(ckNearActors, actor * 2);
  vec4 shares = intBitsToFloat(texelFetch(ckNearActors, actor * 2 + 1));
  vec4 weights = vec4(0.0);
  if (texel < ckFrameTexels) {
    weights = ckFrameWeightsAt(frames.x, texel, shares.x);
    if (frames.y >= 0) {
      weights = mix(weights, ckFrameWeightsAt(frames.y, texel, shares.y), shares.z);
    }
  }
  for (int i = frames.z; i < frames.z + frames.w; ++i) {
    vec4 own = texelFetch(ckOwnWeights, i);
    int column = int(own.x);
    if (column / 4 == texel) weights[column % 4] = own.y;
  }
  gl_Position = vec4(0.0);
  vWeights = weights;
}
