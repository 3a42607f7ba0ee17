#version 330 core
// Keeps what is seen of a surface in a picture for far actors (far/cell.glsl), before light and tint.
// The camera is parallel. Defines as in lit.frag.
#include "crowd/look.glsl"
#include "crowd/material.glsl"
#include "crowd/surface.glsl"
#include "crowd/seen_surface.glsl"
#include "far/cell.glsl"

uniform mat4 ckViewProjection;

layout(location = 0) out vec4 oColor;
layout(location = 1) out vec4 oForm;

void main() {
  vec3 world = vWorldU.xyz;
  vec3 normal = ckFacingNormal(world, ckTowardsEye(world));
  mat4 axes = transpose(ckViewProjection);
  vec2 along = vec2(dot(normal, normalize(axes[0].xyz)), dot(normal, normalize(axes[1].xyz)));
  CkPaint paint = ckSurfacePaint();
  oColor = vec4(sqrt(clamp(paint.color, 0.0, 1.0)), paint.tinted);
  oForm = vec4(ckStoredSigned(along), 1.0 - gl_FragCoord.z, 1.0);
}
