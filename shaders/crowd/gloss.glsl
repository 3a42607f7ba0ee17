// Metal and gloss: what a surface mirrors of its surroundings. For both shader stages. Include
// surface_light.glsl first.

// From this roughness on only metal mirrors (core/scene/gloss.h).
const float kRoughEnough = 0.75;

// The light from a direction, blurred by roughness: a pale band above the horizon and a darker
// ground, as in a photographer's hall. Paler than the light on rough surfaces: in a blue mirror gold
// is olive.
vec3 ckSurroundings(vec3 direction, float roughness) {
  vec3 sky = mix(kSkyLight, vec3(0.53), 0.7);
  float up = direction.y;
  float soft = mix(0.05, 1.1, roughness);
  vec3 above = mix(sky * 1.9, sky * 0.55, smoothstep(-0.1, 0.75, up));
  vec3 below = mix(kGroundLight * 0.85, kGroundLight * 0.30, smoothstep(0.0, 0.9, -up));
  vec3 sharp = mix(below, above, smoothstep(-soft, soft, up));
  // A large lamp around the key light.
  float lamp = max(dot(direction, kToLight), 0.0);
  float size = mix(40.0, 3.0, sqrt(roughness));
  return sharp + kKeyLight * (0.9 * pow(lamp, size) * (1.0 - 0.6 * roughness));
}

// Light with what the surface mirrors. `light` is ckLightFrom(); directions are of unit length.
// Without metal, nothing changes from kRoughEnough on.
CkLight ckGlossy(CkLight light, vec3 normal, vec3 toEye, float open, float metallic,
                 float roughness) {
  float seen = clamp(dot(normal, toEye), 0.0, 1.0);
  vec3 mirrored = 2.0 * dot(normal, toEye) * normal - toEye;
  // The lamp is not a point: below this roughness its highlight would be a pixel.
  float rough = max(roughness, 0.12);
  float alpha = rough * rough;
  vec3 halfway = normalize(toEye + kToLight);
  float nh = clamp(dot(normal, halfway), 0.0, 1.0);
  float lh = clamp(dot(kToLight, halfway), 0.0, 1.0);
  // GGX with the visibility term of Brian Karis, "Physically Based Shading on Mobile", 2014. Light
  // is given in units of pi, as for rough surfaces.
  float spread = nh * nh * (alpha * alpha - 1.0) + 1.0;
  float shine = alpha * alpha / (4.0 * spread * spread * max(lh * lh, 0.1) * (rough + 0.5));
  shine = min(shine, 12.0) * clamp(dot(normal, kToLight), 0.0, 1.0) * open;
  // Ambient light reaches a concave place less; the share of the key light stands for it.
  vec3 around = ckSurroundings(mirrored, roughness) * (0.75 + 0.25 * open);
  // Rough metal takes light from all sides, as a rough surface does.
  vec3 spec = mix(around + kKeyLight * shine, light.taken, 0.8 * roughness * roughness);

  float edge = 1.0 - seen;
  float grazing = edge * edge * edge * edge * edge * (1.0 - 0.8 * roughness);
  // The share that a dielectric mirrors, 4 % and more at edges (Karis' fit of the split sum).
  vec4 fit = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float bias = min(fit.x * fit.x, exp2(-9.28 * seen)) * fit.x + fit.y;
  vec2 share = vec2(-1.04, 1.04) * bias + fit.zw;
  float dull = min(roughness / kRoughEnough, 1.0);
  float gloss = 1.0 - dull * dull;
  float mirrors = (0.04 * share.x + share.y) * gloss;

  vec3 roughAdded = light.added * mix(0.35, 1.0, dull);
  vec3 glossAdded = around * mirrors + kKeyLight * (0.04 * shine * gloss);
  CkLight result;
  result.taken = mix(light.taken * (1.0 - mirrors), spec * (1.0 - grazing), metallic);
  result.added = mix(roughAdded + glossAdded, spec * grazing, metallic);
  return result;
}
