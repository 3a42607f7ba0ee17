#version 330 core
// Adds CK_BATCH difference meshes to an accumulator by transform feedback, one vertex per place
// (docs/techniques.md 5.1). CK_FIXED 1: sums are integers and differences are in steps; each
// morph's contribution at its old weight is subtracted and at its new weight added. CK_FIXED 0:
// sums are floats, and the change of weight times the difference is added.
#include "shared/morph.glsl"

// Position and normal of each morph of the batch, in turn.
layout(location = 2) in vec3 aDifferences[2 * CK_BATCH];

uniform vec2 ckWeights[CK_BATCH];  // before, now

#if CK_FIXED
layout(location = 0) in ivec4 aPosition;
layout(location = 1) in ivec4 aNormal;
flat out ivec4 vPosition;
flat out ivec4 vNormal;

ivec4 ckStep(vec2 weights, vec3 steps) {
  return ivec4(ck_morphStep(weights.y, steps.x) - ck_morphStep(weights.x, steps.x),
               ck_morphStep(weights.y, steps.y) - ck_morphStep(weights.x, steps.y),
               ck_morphStep(weights.y, steps.z) - ck_morphStep(weights.x, steps.z), 0);
}
#else
layout(location = 0) in vec4 aPosition;
layout(location = 1) in vec4 aNormal;
flat out vec4 vPosition;
flat out vec4 vNormal;

vec4 ckStep(vec2 weights, vec3 difference) {
  return vec4((weights.y - weights.x) * difference, 0.0);
}
#endif

// Written out, because NVIDIA's driver 580 cannot link a loop over an array of attributes.
#define CK_ADD(i)                                         \
  vPosition += ckStep(ckWeights[i], aDifferences[2 * i]); \
  vNormal += ckStep(ckWeights[i], aDifferences[2 * i + 1])

void main() {
  gl_Position = vec4(0.0);
  vPosition = aPosition;
  vNormal = aNormal;
  CK_ADD(0);
#if CK_BATCH > 1
  CK_ADD(1);
#endif
#if CK_BATCH > 2
  CK_ADD(2);
#endif
#if CK_BATCH > 3
  CK_ADD(3);
#endif
#if CK_BATCH > 4
  CK_ADD(4);
#endif
#if CK_BATCH > 5
  CK_ADD(5);
#endif
#if CK_BATCH > 6
  CK_ADD(6);
#endif
}
