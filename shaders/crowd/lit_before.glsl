// Light at the vertices, for actors with small triangles: software renderers shade sixteen pixels
// per triangle, however few it covers (docs/techniques.md 4.6). CK_IMAGES and CK_TINT_MASKS as in
// lit.frag, which shades larger triangles. CK_COLORS, CK_GLOSS and CK_GLOW: 1 if vertices have
// colours, or materials have gloss or glow; images of gloss and glow need lit.frag.
#include "crowd/look.glsl"
#include "crowd/material.glsl"
#include "crowd/surface_light.glsl"
#if CK_GLOSS
#include "crowd/gloss.glsl"
#endif
#if CK_GLOSS || CK_GLOW
uniform samplerBuffer ckSurfaces;  // as in crowd/surface.glsl
const int kSurfaceTexels = 10;
#endif

#if CK_IMAGES
out vec4 vTakenU;
out vec4 vAddedV;
flat out float vLayer;
#if CK_TINT_MASKS
out vec3 vMasked;
#endif
#else
out vec3 vScreen;
#endif

// If the cosine between a vertex normal and the direction to the eye is below this, the vertex is
// seen from behind or not visible: its triangles face further away than vertex normals deviate from
// them.
uniform float ckSeenAbove;

// `given` points outwards and has any length; `look` is as in lit.frag; `paint` is the vertex's
// colour.
void ckLightVertex(vec3 world, vec3 given, vec2 uv, uint number, uint look, vec3 paint) {
  vec3 toEye = ckTowardsEye(world);
  vec3 normal = given * inversesqrt(dot(given, given) + 1e-36);
  // Seen from behind, a surface is lit on that side.
  normal = dot(normal, toEye) < ckSeenAbove ? -normal : normal;
#if CK_GLOSS || CK_GLOW
  CkLight light = ckLightFrom(world, normal, toEye, 1.0);
#if CK_GLOSS
  vec4 facts = texelFetch(ckSurfaces, int(number) * kSurfaceTexels + 1);
  light = ckGlossy(light, normal, toEye, 1.0, facts.x, facts.y);
#endif
#if CK_GLOW
  light.added += texelFetch(ckSurfaces, int(number) * kSurfaceTexels).rgb;
#endif
  light = ckSeenFrom(light, world, 1.0 - max(dot(normal, toEye), 0.0), float(look & 1u));
#else
  CkLight light = ckLightOn(world, normal, toEye, 1.0, float(look & 1u));
#endif
  CkMaterial material = ckMaterial(number);
  vec3 tint = ckTint(look) - 1.0;
  vec3 taken = material.color * light.taken;
#if CK_COLORS
  taken *= paint;
#endif
#if CK_IMAGES
  vLayer = material.layer;
#if CK_TINT_MASKS
  float everywhere = material.tinted * (1.0 - material.masked);
  vMasked = taken * tint * (material.tinted - everywhere);
#else
  float everywhere = material.tinted;
#endif
  vTakenU = vec4(taken * (1.0 + tint * everywhere), uv.x);
  vAddedV = vec4(light.added, uv.y);
#else
  vScreen = ckScreenCurve(taken * (1.0 + tint * material.tinted) + light.added);
#endif
}
