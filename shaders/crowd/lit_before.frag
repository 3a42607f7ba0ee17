#version 330 core
// Writes the colour of an actor whose light was computed at the vertices (lit_before.glsl).
#include "crowd/dissolve.glsl"
#if CK_IMAGES
#include "crowd/look.glsl"
in vec4 vTakenU;
in vec4 vAddedV;
flat in float vLayer;
#if CK_TINT_MASKS
in vec3 vMasked;
#endif
uniform sampler2DArray ckImages;
#else
in vec3 vScreen;
#endif
layout(location = 0) out vec4 oColor;

void main() {
#if CK_IMAGES
  vec4 texel = texture(ckImages, vec3(vTakenU.w, vAddedV.w, max(vLayer, 0.0)));
  vec3 color = vLayer >= 0.0 ? texel.rgb : vec3(1.0);
  vec3 taken = vTakenU.rgb;
#if CK_TINT_MASKS
  taken += vMasked * texel.a;
#endif
  oColor = vec4(ckScreenCurve(color * taken + vAddedV.rgb), 1.0);
#else
  oColor = vec4(vScreen, 1.0);
#endif
  ckDissolve();
}
