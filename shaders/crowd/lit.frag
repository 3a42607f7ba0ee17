#version 330 core
// Colours an actor. CK_ERROR: paints the distance to the source instead of the material.
// CK_SHADOWS: within the shadow maps of the key light.
#include "crowd/look.glsl"
#include "crowd/shadow.glsl"
#include "crowd/viridis.glsl"

in vec4 vWorldU;
in vec4 vNormalV;
#if CK_ERROR
in float vErrorMeters;
#endif
flat in uvec2 vMaterialLook;

uniform sampler2DArray ckPictures;
uniform samplerBuffer ckMaterials;
uniform float ckErrorScale;

layout(location = 0) out vec4 oColor;

// The tint of an actor, linear. The cube is close enough to the sRGB curve for five bits (chilliant,
// "sRGB approximations for HLSL"; off by less than 0.002).
vec3 ckTint() {
  uvec3 bits = (uvec3(vMaterialLook.y) >> uvec3(27u, 21u, 16u)) & uvec3(31u, 63u, 31u);
  vec3 coded = vec3(bits) / vec3(31.0, 63.0, 31.0);
  return coded * (coded * (coded * 0.305306011 + 0.682171111) + 0.012522878);
}

vec3 ckSurfaceColor() {
#if CK_ERROR
  return ckViridis(clamp(vErrorMeters / ckErrorScale, 0.0, 1.0));
#else
  int material = int(vMaterialLook.x);
  vec4 base = texelFetch(ckMaterials, material * 2);
  vec4 facts = texelFetch(ckMaterials, material * 2 + 1);
  vec4 picture = texture(ckPictures, vec3(vWorldU.w, vNormalV.w, max(facts.x, 0.0)));
  vec3 color = base.rgb * (facts.x >= 0.0 ? picture.rgb : vec3(1.0));
  float tinted = facts.z * (facts.y > 0.5 ? picture.a : 1.0);
  return color * mix(vec3(1.0), ckTint(), tinted);
#endif
}

// The normal on the side that the eye sees, whichever way triangles wind and actors are mirrored.
vec3 ckFacingNormal(vec3 world, vec3 toEye) {
  vec3 facet = cross(dFdx(world), dFdy(world));
  vec3 given = vNormalV.xyz;
  vec3 normal = dot(given, given) > 1e-24 ? given : facet;
  float turned = dot(facet, toEye) * dot(normal, facet);
  return normal * ((turned < 0.0 ? -1.0 : 1.0) * inversesqrt(dot(normal, normal) + 1e-36));
}

void main() {
  vec3 world = vWorldU.xyz;
  vec3 color = ckSurfaceColor();
  vec3 toEye = normalize(ckEye - world);
  vec3 normal = ckFacingNormal(world, toEye);
  float facing = dot(normal, kToLight);
  float key = clamp((facing + 0.22) / 1.22, 0.0, 1.0);
  key *= key * (3.0 - 2.0 * key) * 0.35 + 0.65;
#ifdef CK_SHADOWS
  // Where the light only grazes, a surface is left to its shading: it would shadow itself in bands.
  float open = mix(1.0, ckShadowLight(world, normal), smoothstep(0.0, 0.3, facing));
  key *= open;
#else
  const float open = 1.0;
#endif
  // Less of the sky reaches what is near the ground and what looks down.
  float sky = mix(0.5, 1.0, smoothstep(-0.1, 0.9, world.y)) * (0.8 + 0.2 * normal.y);
  vec3 around = mix(kGroundLight, kSkyLight, normal.y * 0.5 + 0.5) * sky;
  float edge = 1.0 - max(dot(normal, toEye), 0.0);
  float rim = edge * edge * edge * (0.35 + 0.65 * max(normal.y, 0.0));
  float shine = max(dot(normal, normalize(toEye + kToLight)), 0.0);
  shine *= shine;
  shine *= shine;
  shine *= shine;
  shine *= shine * shine * max(facing, 0.0) * open;
  vec3 lit = color * (kKeyLight * key + around) + kSkyLight * rim * 0.45 + kKeyLight * shine * 0.07;
  lit = mix(lit, lit * 0.7 + kAccent * (0.10 + 1.1 * edge * edge), float(vMaterialLook.y & 1u));
  lit = mix(lit, ckAirColor(world), ckAirAmount(world));
  oColor = vec4(ckToScreen(lit), 1.0);
}
