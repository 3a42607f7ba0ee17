// The features of surfaces beyond a colour and an image (CharacterGpu::surfaces), for fragment shaders.
// CK_IMAGES, CK_TINT_MASKS: as in lit.frag.
// CK_PLACED_MAPS: some map is moved, turned, scaled, mirrored or clamped.
// CK_SECOND_UVS: some map reads the second set of texture coordinates.
// CK_COLORS: vertices have colours.
// CK_CUT: which part is drawn of surfaces that are not opaque. 0: there are none. 1: opaque
//   parts. 2: translucent parts. 3: pickable parts. 4: parts that cast shadows. 5: parts that pictures of
//   far actors hold.
uniform samplerBuffer ckSurfaces;
const int kSurfaceTexels = 10;
const int kBaseMap = 2;
const int kNormalMap = 4;
const int kGlossMap = 6;
const int kGlowMap = 8;

#if CK_SECOND_UVS
in vec2 vSecondUv;
#endif
#if CK_COLORS
in vec4 vColor;
#endif

vec4 ckSurfaceTexel(uint material, int texel) {
  return texelFetch(ckSurfaces, int(material) * kSurfaceTexels + texel);
}

// A coordinate as the map's wrap has it (0 repeat, 1 mirror, 2 clamp). The texture itself repeats;
// `edge` is half a texel, so that filtering does not reach over the border to the other side.
float ckWrapped(float place, int wrap, float edge) {
  if (wrap == 0) return place;
  if (wrap == 1) place = 1.0 - abs(place - 2.0 * floor(place * 0.5) - 1.0);
  return clamp(place, edge, 1.0 - edge);
}

// The place of a map before it is wrapped.
vec2 ckMapPlace(uint material, int map, vec2 uv) {
#if CK_PLACED_MAPS || CK_SECOND_UVS
  vec4 offset = ckSurfaceTexel(material, map);
#if CK_SECOND_UVS
  if (offset.z >= 9.0) uv = vSecondUv;
#endif
#if CK_PLACED_MAPS
  vec4 turn = ckSurfaceTexel(material, map + 1);
  uv = offset.xy + mat2(turn.xy, turn.zw) * uv;
#endif
#endif
  return uv;
}

// A map of a material. Derivatives are those of the place before wrapping: at a seam of a mirrored
// or clamped map they would be wrong after it.
vec4 ckMapTexel(sampler2DArray images, uint material, int map, vec2 uv, float layer) {
  vec2 place = ckMapPlace(material, map, uv);
#if CK_PLACED_MAPS
  vec2 across = dFdx(place);
  vec2 down = dFdy(place);
  vec2 size = vec2(textureSize(images, 0).xy);
  float texels = max(length(across * size), length(down * size));
  vec2 edge = min(0.5 * exp2(max(ceil(log2(max(texels, 1e-6))), 0.0)) / size, vec2(0.5));
  int wraps = int(ckSurfaceTexel(material, map).z) % 9;
  vec2 wrapped = vec2(ckWrapped(place.x, wraps % 3, edge.x), ckWrapped(place.y, wraps / 3, edge.y));
  return textureGrad(images, vec3(wrapped, max(layer, 0.0)), across, down);
#else
  return texture(images, vec3(place, max(layer, 0.0)));
#endif
}

#if CK_CUT
// Above this a blended surface hides what is behind it, so it is drawn with depth.
const float kSolidAlpha = 0.98;
// Below this a blended surface is not there for a pointer.
const float kLeastPointedAt = 0.1;
// Below this a blended surface is not in pictures of far actors.
const float kLeastPictured = 0.5;

// How much a level of detail thins out masks: averaging draws alpha towards the mean, which for
// hair and leaves lies below the cutoff. A quarter more a level keeps the covered area (Ben Golus,
// "Anti-aliased Alpha Test: The Esoteric Alpha To Coverage", 2017).
float ckMaskGain(vec2 place, sampler2DArray images) {
  vec2 size = vec2(textureSize(images, 0).xy);
  float texels = max(length(dFdx(place) * size), length(dFdy(place) * size));
  return 1.0 + 0.25 * max(log2(max(texels, 1e-6)), 0.0);
}

// Leaves the pixel out if this pass does not draw it. `gain`: ckMaskGain() or 1.
void ckCut(uint material, float alpha, float gain) {
  vec4 facts = ckSurfaceTexel(material, 1);
#if CK_CUT == 2
  if (facts.z < 1.5 || alpha >= kSolidAlpha || alpha < 1.0 / 512.0) discard;
#else
  if (facts.z < 0.5) return;
  float least = facts.w;
  alpha *= facts.z < 1.5 ? gain : 1.0;
#if CK_CUT == 4
  // A blended surface takes its share of the light: the share of the texels of the shadow map.
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  if (facts.z > 1.5) least = max(noise, 1.0 / 512.0);
#else
  if (facts.z > 1.5) {
    least = CK_CUT == 1 ? kSolidAlpha : CK_CUT == 5 ? kLeastPictured : kLeastPointedAt;
  }
#endif
  if (alpha < least) discard;
#endif
}
#endif
