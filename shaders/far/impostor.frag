#version 330 core
// A pixel of a far actor's picture, lit as lit.frag lights meshes. CK_PASS, CK_SHADOWS: as in
// impostor.vert.
#include "crowd/look.glsl"
#include "crowd/shadow.glsl"
#include "crowd/surface_light.glsl"
#include "far/cell.glsl"

uniform sampler2DArray ckImpostors;
uniform vec4 ckCells;  // as in far/picture.glsl

flat in vec4 vMap;
flat in vec4 vCenterCell;
flat in vec2 vLayerLevel;
#if CK_PASS == 0
flat in mat3 vTurned;
flat in vec4 vToEyeSelected;
flat in vec4 vAir;
flat in vec3 vTint;
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

void main() {
  vec2 away = gl_FragCoord.xy - vCenterCell.xy;
  vec2 inCell = vMap.xy * away.x + vMap.zw * away.y;  // pixels of the picture
  vec2 outer = 0.5 * ckCells.xy;
  // Filtering stays within the cell.
  vec2 kept = outer - 0.5 * exp2(vLayerLevel.y);
  vec2 at = (vCenterCell.zw + clamp(inCell, -kept, kept)) / vec2(textureSize(ckImpostors, 0).xy);
  vec4 form = textureLod(ckImpostors, vec3(at, vLayerLevel.x + 1.0), vLayerLevel.y);
  if (form.a < 0.5 || abs(inCell.x) > outer.x || abs(inCell.y) > outer.y) discard;
#if CK_PASS == 0
  vec4 paint = textureLod(ckImpostors, vec3(at, vLayerLevel.x), vLayerLevel.y);
  vec2 along = ckSigned(form.xy);
  vec3 normal = normalize(vTurned * vec3(along, sqrt(max(1.0 - dot(along, along), 0.0))));
  vec3 place = vec3(inCell, form.z * 2.0 - 1.0);
  vec3 toEye = vToEyeSelected.xyz;
#ifdef CK_SHADOWS
  vec3 world = vMiddle + vPlaced * place;
  float open = mix(1.0, ckShadowLight(world, normal), smoothstep(0.0, 0.3, dot(normal, kToLight)));
#else
  vec3 world = vec3(0.0, dot(vHeights.xyz, place) + vHeights.w, 0.0);  // light depends on the height
  const float open = 1.0;
#endif
  CkLight light = ckLightFrom(world, normal, toEye, open);
  float edge = 1.0 - max(dot(normal, toEye), 0.0);
  light = ckSeenThrough(vAir, light, edge, vToEyeSelected.w);
  vec3 color = paint.rgb * paint.rgb * mix(vec3(1.0), vTint, paint.a);
  oColor = vec4(ckScreenCurve(color * light.taken + light.added), 1.0);
#elif CK_PASS == 1
  oId = vId;
#endif
}
