// The materials of a character (CharacterGpu::materials), for both shader stages.
uniform samplerBuffer ckMaterials;

struct CkMaterial {
  vec3 color;     // linear
  float alpha;
  float layer;    // of its image, or < 0
  float masked;   // 1: the tint applies where the image's alpha says so
  float tinted;   // strength of the tint
};

CkMaterial ckMaterial(uint number) {
  vec4 base = texelFetch(ckMaterials, int(number) * 2);
  vec4 facts = texelFetch(ckMaterials, int(number) * 2 + 1);
  return CkMaterial(base.rgb, base.a, facts.x, facts.y, facts.z);
}

// The tint of an actor, linear. A cubic approximates the sRGB curve for five bits (chilliant, "sRGB
// approximations for HLSL"; the error is below 0.002).
vec3 ckTint(uint look) {
  uvec3 bits = (uvec3(look) >> uvec3(27u, 21u, 16u)) & uvec3(31u, 63u, 31u);
  vec3 coded = vec3(bits) / vec3(31.0, 63.0, 31.0);
  return coded * (coded * (coded * 0.305306011 + 0.682171111) + 0.012522878);
}
