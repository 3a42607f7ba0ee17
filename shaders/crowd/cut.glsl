// Leaves out the gaps of surfaces in passes that do not show materials: ckCutHere(). Nothing with
// CK_CUT 0.
#if CK_CUT
#include "crowd/material.glsl"
#include "crowd/surface.glsl"
in vec2 vUv;
flat in uint vMaterial;
uniform sampler2DArray ckImages;

void ckCutHere() {
  CkMaterial material = ckMaterial(vMaterial);
  float alpha = material.alpha;
  float gain = 1.0;
#if CK_COLORS
  alpha *= vColor.a;
#endif
#if CK_IMAGES
  float texel = ckMapTexel(ckImages, vMaterial, kBaseMap, vUv, material.layer).a;
  float more = ckMaskGain(ckMapPlace(vMaterial, kBaseMap, vUv), ckImages);
  if (material.layer >= 0.0 && material.masked < 0.5) {
    alpha *= texel;
    gain = more;
  }
#endif
  ckCut(vMaterial, alpha, gain);
}
#else
void ckCutHere() {}
#endif
