#version 330 core
// A pixel of a far actor's picture, lit as lit.frag lights meshes. CK_PASS, CK_SHADOWS, CK_DISSOLVE: as in
// impostor.vert. The picture is not filtered: one of its pixels is at most one of the screen, and a
// filter costs software renderers more than light does.
#include "crowd/look.glsl"
#include "crowd/shadow.glsl"
#include "crowd/surface_light.glsl"
#include "far/cell.glsl"
#include "far/covered.glsl"
#if CK_PASS == 0
#include "crowd/dissolve.glsl"
#endif

uniform sampler2DArray ckImpostors;

flat in vec4 vMap;
flat in vec4 vCenterCell;
flat in vec4 vOuterLayer;
#if CK_PASS == 0
flat in vec4 vRightSelected;
flat in vec3 vUp;
flat in vec3 vTowards;
flat in vec4 vTintAir;
flat in vec3 vAirColor;
#ifdef CK_SHADOWS
flat in mat3 vPlaced;
flat in vec3 vMiddle;
#else
flat in vec4 vHeights;
#endif
layout(location = 0) out vec4 oColor;
#elif CK_PASS == 1
flat in uint vId;
layout(location = 0) out uint oId;
#endif

// The covered share from which a pixel of the picture is shown: a half where the cell is 24 pixels high or more.
// Bodies of few pixels cover most pixels by less than a half and would vanish. From 24 down to 8 pixels the share
// becomes noise.
float ckLeastCover() {
  float noise = ckCoverNoise(gl_FragCoord.xy, vOuterLayer.z);
  return mix(0.5, max(noise, 0.02), clamp(1.5 - vOuterLayer.y / 8.0, 0.0, 1.0));
}

void main() {
  vec2 away = gl_FragCoord.xy - vCenterCell.xy;
  vec2 inCell = vMap.xy * away.x + vMap.zw * away.y;
  ivec3 at = ivec3(vec3(vCenterCell.zw + inCell, vOuterLayer.z));
  vec4 form = texelFetch(ckImpostors, at, int(vOuterLayer.w));
  if (form.a < ckLeastCover() || abs(inCell.x) >= vOuterLayer.x || abs(inCell.y) >= vOuterLayer.y) discard;
#if CK_PASS == 0
  ckDissolve();
  vec4 paint = texelFetch(ckImpostors, at - ivec3(0, 0, 1), int(vOuterLayer.w));
  vec2 along = ckSigned(form.xy);
  float towards = sqrt(max(1.0 - dot(along, along), 0.0));
  vec3 normal = vRightSelected.xyz * along.x + vUp * along.y + vTowards * towards;
  vec3 place = vec3(inCell, form.z * 2.0 - 1.0);
  // The eye of the picture, from which outlines are seen as such.
  vec3 toEye = vTowards;
#ifdef CK_SHADOWS
  vec3 world = vMiddle + vPlaced * place;
  float open = mix(1.0, ckShadowLight(world, normal), smoothstep(0.0, 0.3, dot(normal, kToLight)));
#else
  vec3 world = vec3(0.0, dot(vHeights.xyz, place) + vHeights.w, 0.0);  // light depends on the height
  const float open = 1.0;
#endif
  CkLight light = ckLightFrom(world, normal, toEye, open);
  light = ckSeenThrough(vec4(vAirColor, vTintAir.w), light, 1.0 - towards, vRightSelected.w);
  vec3 color = paint.rgb * paint.rgb * mix(vec3(1.0), vTintAir.rgb, paint.a);
  oColor = vec4(ckScreenCurve(color * light.taken + light.added), 1.0);
#elif CK_PASS == 1
  oId = vId;
#endif
}
