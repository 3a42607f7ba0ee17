#version 330 core
// A far actor as a grey, tinted square of its body's size, while its pictures are being made. CK_PASS,
// CK_DISSOLVE: as in crowd/actor.vert.
#include "crowd/steady_record.glsl"
#include "crowd/look.glsl"
#include "crowd/material.glsl"
#include "crowd/surface_light.glsl"
#include "far/guard.glsl"
#include "far/covered.glsl"
#ifdef CK_DISSOLVE
#include "crowd/dissolving.glsl"
#endif

uniform mat4 ckViewProjection;
uniform vec2 ckBody;  // height of the body's middle and side of a square of its area, metres

#if CK_PASS == 0
flat out vec4 vColor;  // premultiplied
#elif CK_PASS == 1
uniform int ckFirstId;
flat out uint vId;
#endif

const vec3 kGrey = vec3(0.4);
const float kTinted = 0.4;  // tints are for clothes, which are a part of a body

void main() {
  CkActor actor = ckActor();
  vec3 world = actor.positionAlphaA.xyz +
               ck_rotate(actor.rotation, vec3(0.0, ckBody.x * actor.scaleAlphaB.y, 0.0));
  vec4 clip = ckViewProjection * vec4(world, 1.0);
  mat4 rows = transpose(ckViewProjection);
  float pixelsOfMeter = length(rows[1].xyz) * 0.5 * ckScreen.w / max(clip.w, 1e-6);
  float side = ckBody.y * abs(actor.scaleAlphaB.x) * pixelsOfMeter;
  gl_PointSize = clamp(side, 1.0, ckLargestPoint);
  gl_Position = clip.w > 0.0 ? ckGuarded(clip) : vec4(2.0, 2.0, 2.0, 1.0);
#if CK_PASS == 0
  vec3 toEye = ckTowardsEye(world);
  CkLight light = ckLightOn(world, normalize(toEye + vec3(0.0, 0.3, 0.0)), toEye, 1.0, ckSelected());
  vec3 color = kGrey * mix(vec3(1.0), ckTint(uint(actor.look)), kTinted);
  vec2 at = ckScreen.xy + (clip.xy / clip.w * 0.5 + 0.5) * ckScreen.zw;
  float cover = ckPointCover(max(side * side, ckSelected()), at, ckActorIndex());
  vColor = vec4(ckScreenCurve(color * light.taken + light.added), 1.0) * cover;
#elif CK_PASS == 1
  vId = uint(ckFirstId + ckActorIndex());
#endif
#ifdef CK_DISSOLVE
  ckDissolving(actor.look);
#endif
}
