#version 330 core
// Shades an actor at every pixel.
// CK_ERROR: show the distance to the source in the colours of the legend, unlit.
// CK_SHADOWS: apply the shadow maps of the key light.
// CK_IMAGES: some material has an image.
// CK_TINT_MASKS: some image has a tint mask.
// CK_TANGENTS: some material has a normal map, which needs tangents.
#include "crowd/look.glsl"
#include "crowd/material.glsl"
#include "crowd/shadow.glsl"
#include "crowd/surface_light.glsl"
#include "crowd/viridis.glsl"

in vec4 vWorldU;
in vec4 vNormalV;
#ifdef CK_ERROR
in float vErrorMeters;
#endif
flat in uvec2 vMaterialLook;

uniform sampler2DArray ckImages;
uniform float ckErrorScale;

layout(location = 0) out vec4 oColor;

vec3 ckSurfaceColor() {
  CkMaterial material = ckMaterial(vMaterialLook.x);
  vec3 color = material.color;
#if CK_IMAGES
  vec4 texel = texture(ckImages, vec3(vWorldU.w, vNormalV.w, max(material.layer, 0.0)));
  color *= material.layer >= 0.0 ? texel.rgb : vec3(1.0);
#if CK_TINT_MASKS
  material.tinted *= material.masked > 0.5 ? texel.a : 1.0;
#endif
#endif
  return color * mix(vec3(1.0), ckTint(vMaterialLook.y), material.tinted);
}

// The normal on the viewer's side, for any winding of triangles and for mirrored actors.
vec3 ckFacingNormal(vec3 world, vec3 toEye) {
  vec3 facet = cross(dFdx(world), dFdy(world));
  vec3 given = vNormalV.xyz;
  vec3 normal = dot(given, given) > 1e-24 ? given : facet;
  float turned = dot(facet, toEye) * dot(normal, facet);
  return normal * ((turned < 0.0 ? -1.0 : 1.0) * inversesqrt(dot(normal, normal) + 1e-36));
}

#if CK_TANGENTS
in vec4 vTangent;
uniform sampler2DArray ckNormalMaps;
uniform samplerBuffer ckNormalMaterials;  // layer or -1, scale

// The unit normal on the viewer's side, modified by the material's normal map. On a back face bumps
// become dents, so only the component along u changes sign.
vec3 ckMappedNormal(vec3 facing) {
  vec4 material = texelFetch(ckNormalMaterials, int(vMaterialLook.x));
  vec3 bent = texture(ckNormalMaps, vec3(vWorldU.w, vNormalV.w, max(material.x, 0.0))).xyz;
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

void main() {
  vec3 world = vWorldU.xyz;
  vec3 toEye = normalize(ckEye - world);
  vec3 smoothNormal = ckFacingNormal(world, toEye);
#ifdef CK_ERROR
  // Light would turn a colour of the legend into another one. What faces away is a little darker, so
  // that forms are seen.
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
  CkLight light = ckLightOn(world, normal, toEye, open, float(vMaterialLook.y & 1u));
  oColor = vec4(ckScreenCurve(ckSurfaceColor() * light.taken + light.added), 1.0);
#endif
}
