#version 330 core
// Shades an actor at every pixel.
// CK_ERROR: show the distance to the source in the colours of the legend, unlit.
// CK_SHADOWS: apply the shadow maps of the key light.
// CK_IMAGES: some material has an image.
// CK_TINT_MASKS: some image has a tint mask.
// CK_TANGENTS: some material has a normal map, which needs tangents.
// CK_COLORS, CK_SECOND_UVS, CK_PLACED_MAPS, CK_CUT: see crowd/surface.glsl.
// CK_GLOSS: some material is metal or not fully rough; 2 if images say how much. CK_GLOW: some
//   material gives light; 2 if images say where. CK_UNLIT: some material is shown without light.
#include "crowd/look.glsl"
#include "crowd/material.glsl"
#include "crowd/shadow.glsl"
#include "crowd/surface_light.glsl"
#include "crowd/viridis.glsl"
#if CK_GLOSS
#include "crowd/gloss.glsl"
#endif
#include "crowd/surface.glsl"
#include "crowd/seen_surface.glsl"
#include "crowd/dissolve.glsl"

#ifdef CK_ERROR
in float vErrorMeters;
#endif
uniform float ckErrorScale;

layout(location = 0) out vec4 oColor;
#if CK_CUT == 2
uniform float ckFocusMeters;
layout(location = 1) out float oWeight;
float gAlpha;  // of the surface
#endif

// The colour with the actor's tint.
vec3 ckSurfaceColor() {
  CkPaint paint = ckSurfacePaint();
#if CK_CUT == 2
  gAlpha = paint.alpha;
#endif
  return paint.color * mix(vec3(1.0), ckTint(vMaterialLook.y), paint.tinted);
}

#if CK_TANGENTS || CK_GLOSS == 2
uniform sampler2DArray ckDataImages;
#endif
#if CK_TANGENTS
in vec4 vTangent;
uniform samplerBuffer ckNormalMaterials;  // layer or -1, scale

// The unit normal on the viewer's side, modified by the material's normal map. On a back face bumps
// become dents, so only the component along u changes sign.
vec3 ckMappedNormal(vec3 facing) {
  vec4 material = texelFetch(ckNormalMaterials, int(vMaterialLook.x));
#if CK_PLACED_MAPS || CK_SECOND_UVS
  vec3 bent = ckMapTexel(ckDataImages, vMaterialLook.x, kNormalMap, vec2(vWorldU.w, vNormalV.w),
                         material.x).xyz;
#else
  vec3 bent = texture(ckDataImages, vec3(vWorldU.w, vNormalV.w, max(material.x, 0.0))).xyz;
#endif
  bent = (bent * 2.0 - 1.0) * vec3(material.y, material.y, 1.0);
  vec3 along = vTangent.xyz - facing * dot(facing, vTangent.xyz);
  float squared = dot(along, along);
  if (material.x < 0.0 || vTangent.w == 0.0 || squared < 1e-20) return facing;
  along *= inversesqrt(squared);
  vec3 across = cross(facing, along) * sign(vTangent.w);
  bent.x *= dot(facing, vNormalV.xyz) < 0.0 ? -1.0 : 1.0;
  return normalize(along * bent.x + across * bent.y + facing * max(bent.z, 1e-3));
}
#endif

#if CK_GLOSS
// Metallic and roughness.
vec2 ckGloss() {
  vec2 gloss = ckSurfaceTexel(vMaterialLook.x, 1).xy;
#if CK_GLOSS == 2
  float layer = ckSurfaceTexel(vMaterialLook.x, kGlossMap).w;
  vec3 texel = ckMapTexel(ckDataImages, vMaterialLook.x, kGlossMap, vec2(vWorldU.w, vNormalV.w),
                          layer).rgb;
  if (layer >= 0.0) gloss *= texel.bg;
#endif
  return gloss;
}
#endif

#if CK_GLOW
vec3 ckGlow() {
  vec3 glow = ckSurfaceTexel(vMaterialLook.x, 0).rgb;
#if CK_GLOW == 2
  float layer = ckSurfaceTexel(vMaterialLook.x, kGlowMap).w;
  vec3 texel = ckMapTexel(ckImages, vMaterialLook.x, kGlowMap, vec2(vWorldU.w, vNormalV.w),
                          layer).rgb;
  if (layer >= 0.0) glow *= texel;
#endif
  return glow;
}
#endif

#if CK_UNLIT
// The colour itself on the screen: the filmic curve is for light. Fog and selection as for surfaces
// with light.
vec3 ckUnlitScreen(vec3 color, vec3 world, float edge, float selected) {
  vec3 coded = mix(12.92 * color, 1.055 * pow(max(color, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055,
                   step(0.0031308, color));
  coded = mix(coded, ckScreenCurve(kAccent * (0.3 + 1.1 * edge * edge)), 0.3 * selected);
  return mix(coded, ckScreenCurve(ckAirColor(world)), ckAirAmount(world));
}
#endif

void main() {
  vec3 world = vWorldU.xyz;
  vec3 toEye = ckTowardsEye(world);
  vec3 smoothNormal = ckFacingNormal(world, toEye);
#ifdef CK_ERROR
#if CK_CUT
  ckSurfaceColor();
#endif
  // Light would turn a colour of the legend into another one. Surfaces that face away are a little
  // darker, so that forms are seen.
  float facing = max(dot(smoothNormal, toEye), 0.0);
  oColor = vec4(ckViridis(clamp(vErrorMeters / ckErrorScale, 0.0, 1.0)) *
                    mix(0.8, 1.0, sqrt(facing)), 1.0);
#else
#if CK_TANGENTS
  vec3 normal = ckMappedNormal(smoothNormal);
#else
  vec3 normal = smoothNormal;
#endif
#ifdef CK_SHADOWS
  // At grazing light the surface is not shadowed by the map, because it would shadow itself in
  // bands.
  float open = mix(1.0, ckShadowLight(world, smoothNormal),
                   smoothstep(0.0, 0.3, dot(smoothNormal, kToLight)));
#else
  const float open = 1.0;
#endif
#if CK_GLOSS || CK_GLOW || CK_UNLIT
  float selected = float(vMaterialLook.y & 1u);
  float edge = 1.0 - max(dot(normal, toEye), 0.0);
  CkLight light = ckLightFrom(world, normal, toEye, open);
#if CK_GLOSS
  vec2 gloss = ckGloss();
  light = ckGlossy(light, normal, toEye, open, gloss.x, gloss.y);
  vec3 mirrored = light.added;
#endif
#if CK_GLOW
  light.added += ckGlow();
#endif
  light = ckSeenFrom(light, world, edge, selected);
  vec3 surface = ckSurfaceColor();
  vec3 screen = ckScreenCurve(surface * light.taken + light.added);
#if CK_UNLIT
  if (ckSurfaceTexel(vMaterialLook.x, 0).w > 0.5) {
    screen = ckUnlitScreen(surface, world, edge, selected);
  }
#endif
  oColor = vec4(screen, 1.0);
#else
  CkLight light = ckLightOn(world, normal, toEye, open, float(vMaterialLook.y & 1u));
  oColor = vec4(ckScreenCurve(ckSurfaceColor() * light.taken + light.added), 1.0);
#endif
#if CK_CUT == 2
#if CK_GLOSS
  // Reflections on glass are visible however clear it is.
  gAlpha = max(gAlpha, min(max(mirrored.r, max(mirrored.g, mirrored.b)), 0.95));
#endif
  // Nearer layers count more (McGuire and Bavoil 2013); relative to the distance, so that it holds
  // for a pebble and for a stadium.
  float away = length(ckEye - world) / ckFocusMeters;
  oWeight = gAlpha * exp2(clamp(-4.0 * log2(max(away, 1e-3)), -28.0, 28.0));
  oColor = vec4(oColor.rgb * oWeight, gAlpha);
#endif
#endif
  ckDissolve();  // last, because derivatives are not defined behind it
}
