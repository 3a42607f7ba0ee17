#version 330 core
// Colours an actor. CK_ERROR: paints the distance to the source instead of the material.
// CK_SHADOWS: within the shadow maps of the key light.
#include "crowd/look.glsl"
#include "crowd/shadow.glsl"
#include "crowd/viridis.glsl"

in vec3 vWorld;
in vec3 vNormal;
in vec2 vUv;
in float vErrorMeters;
flat in uint vMaterial;
flat in vec4 vTintSelected;

uniform sampler2DArray ckPictures;
uniform samplerBuffer ckMaterials;
uniform float ckErrorScale;

layout(location = 0) out vec4 oColor;

vec3 ckFromScreen(vec3 coded) {
  return mix(pow((coded + 0.055) / 1.055, vec3(2.4)), coded / 12.92,
             lessThan(coded, vec3(0.04045)));
}

vec3 ckSurfaceColor() {
#if CK_ERROR
  return ckViridis(clamp(vErrorMeters / ckErrorScale, 0.0, 1.0));
#else
  vec4 base = texelFetch(ckMaterials, int(vMaterial) * 2);
  vec4 facts = texelFetch(ckMaterials, int(vMaterial) * 2 + 1);
  vec4 picture = texture(ckPictures, vec3(vUv, max(facts.x, 0.0)));
  vec3 color = base.rgb * (facts.x >= 0.0 ? picture.rgb : vec3(1.0));
  float tinted = facts.z * (facts.y > 0.5 ? picture.a : 1.0);
  return color * mix(vec3(1.0), ckFromScreen(vTintSelected.rgb), tinted);
#endif
}

// The normal on the side that the eye sees, whichever way triangles wind and actors are mirrored.
vec3 ckFacingNormal(vec3 toEye) {
  vec3 facet = cross(dFdx(vWorld), dFdy(vWorld));
  facet *= dot(facet, toEye) < 0.0 ? -1.0 : 1.0;
  float size = length(vNormal);
  vec3 normal = size > 1e-12 ? vNormal / size : normalize(facet + vec3(0.0, 1e-9, 0.0));
  return dot(normal, facet) < 0.0 ? -normal : normal;
}

void main() {
  vec3 color = ckSurfaceColor();
  vec3 toEye = normalize(ckEye - vWorld);
  vec3 normal = ckFacingNormal(toEye);
  float facing = dot(normal, kToLight);
  float key = clamp((facing + 0.22) / 1.22, 0.0, 1.0);
  key *= key * (3.0 - 2.0 * key) * 0.35 + 0.65;
#ifdef CK_SHADOWS
  // Where the light only grazes, a surface is left to its shading: it would shadow itself in bands.
  float open = mix(1.0, ckShadowLight(vWorld, normal), smoothstep(0.0, 0.3, facing));
  key *= open;
#else
  const float open = 1.0;
#endif
  // Less of the sky reaches what is near the ground and what looks down.
  float sky = mix(0.5, 1.0, smoothstep(-0.1, 0.9, vWorld.y)) * (0.8 + 0.2 * normal.y);
  vec3 around = mix(kGroundLight, kSkyLight, normal.y * 0.5 + 0.5) * sky;
  float edge = 1.0 - max(dot(normal, toEye), 0.0);
  float rim = edge * edge * edge * (0.35 + 0.65 * max(normal.y, 0.0));
  float shine = max(dot(normal, normalize(toEye + kToLight)), 0.0);
  shine *= shine;
  shine *= shine;
  shine *= shine;
  shine *= shine * shine * max(facing, 0.0) * open;
  vec3 lit = color * (kKeyLight * key + around) + kSkyLight * rim * 0.45 + kKeyLight * shine * 0.07;
  lit = mix(lit, lit * 0.7 + kAccent * (0.10 + 1.1 * edge * edge), vTintSelected.a);
  lit = mix(lit, ckAirColor(vWorld), ckAirAmount(vWorld));
  oColor = vec4(ckToScreen(lit), 1.0);
}
