// The part of an actor's surface that a pixel sees, for fragment shaders that shade it (lit.frag) or keep
// it in a picture (impostor_cell.frag). Include material.glsl and surface.glsl first.
in vec4 vWorldU;
in vec4 vNormalV;
flat in uvec2 vMaterialLook;

uniform sampler2DArray ckImages;

// A base colour, linear, and the share of it that the tint applies to.
struct CkPaint {
  vec3 color;
  float tinted;
#if CK_CUT == 2
  float alpha;  // of the surface
#endif
};

// Leaves the pixel out if the surface has a gap there.
CkPaint ckSurfacePaint() {
  CkMaterial material = ckMaterial(vMaterialLook.x);
  vec3 color = material.color;
#if CK_COLORS
  color *= vColor.rgb;
#endif
#if CK_IMAGES
  vec2 uv = vec2(vWorldU.w, vNormalV.w);
#if CK_PLACED_MAPS || CK_SECOND_UVS
  vec4 texel = ckMapTexel(ckImages, vMaterialLook.x, kBaseMap, uv, material.layer);
#else
  vec4 texel = texture(ckImages, vec3(uv, max(material.layer, 0.0)));
#endif
  color *= material.layer >= 0.0 ? texel.rgb : vec3(1.0);
#endif
#if CK_CUT
  float alpha = material.alpha;
  float gain = 1.0;
#if CK_COLORS
  alpha *= vColor.a;
#endif
#if CK_IMAGES
  float more = ckMaskGain(ckMapPlace(vMaterialLook.x, kBaseMap, uv), ckImages);
  if (material.layer >= 0.0 && material.masked < 0.5) {
    alpha *= texel.a;
    gain = more;
  }
#endif
  ckCut(vMaterialLook.x, alpha, gain);
#endif
#if CK_IMAGES
#if CK_TINT_MASKS
  material.tinted *= material.masked > 0.5 ? texel.a : 1.0;
#endif
#endif
#if CK_CUT == 2
  return CkPaint(color, material.tinted, alpha);
#else
  return CkPaint(color, material.tinted);
#endif
}

// The normal on the viewer's side, for any winding of triangles and for mirrored actors.
vec3 ckFacingNormal(vec3 world, vec3 toEye) {
  vec3 facet = cross(dFdx(world), dFdy(world));
  vec3 given = vNormalV.xyz;
  vec3 normal = dot(given, given) > 1e-24 ? given : facet;
  float turned = dot(facet, toEye) * dot(normal, facet);
  return normal * ((turned < 0.0 ? -1.0 : 1.0) * inversesqrt(dot(normal, normal) + 1e-36));
}
