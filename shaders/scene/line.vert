#version 330 core
// A line of a width in pixels with round ends, as a rectangle on the screen (render/view/actor_lines.h).
layout(location = 0) in vec4 aFrom;   // world; w: width in pixels at most
layout(location = 1) in vec4 aTo;     // world; w: width in metres
layout(location = 2) in vec4 aColor;  // w: metres by which it is moved towards the eye
uniform mat4 ckViewProjection;
uniform vec4 ckSight;        // as in look.glsl
uniform float ckFocusMeters;  // the distance of everything where lines of sight are parallel
uniform vec2 ckPixels;
uniform float ckPixelsAtMeter;
uniform float ckWidthScale;
flat out vec4 vEnds;  // in pixels
flat out vec4 vLook;  // colour, half of the width in pixels

const float kNear = 1e-3;
const float kBorder = 2.0;  // outline and smooth edge, pixels

float ckDistance(vec3 world) {
  return ckSight.w > 0.0 ? distance(ckSight.xyz, world) : ckFocusMeters;
}

// A point that is moved along its view ray keeps its place in the image and gets another depth.
vec4 ckSeen(vec3 world) {
  vec3 toEye = ckSight.xyz - world * ckSight.w;
  float nearer = min(aColor.w, 0.9 * ckDistance(world));
  return ckViewProjection * vec4(world + toEye * (nearer / max(length(toEye), 1e-9)), 1.0);
}

void main() {
  vec4 from = ckSeen(aFrom.xyz);
  vec4 to = ckSeen(aTo.xyz);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // nowhere
  vEnds = vec4(0.0);
  vLook = vec4(0.0);
  if (from.w < kNear && to.w < kNear) return;
  if (from.w < kNear) from = mix(from, to, (kNear - from.w) / (to.w - from.w));
  if (to.w < kNear) to = mix(to, from, (kNear - to.w) / (from.w - to.w));
  vec3 a = from.xyz / from.w;
  vec3 b = to.xyz / to.w;
  vEnds = vec4((a.xy * 0.5 + 0.5) * ckPixels, (b.xy * 0.5 + 0.5) * ckPixels);
  vec2 along = vEnds.zw - vEnds.xy;
  float span = length(along);
  vec2 direction = span > 1e-3 ? along / span : vec2(1.0, 0.0);
  float away = ckDistance(0.5 * (aFrom.xyz + aTo.xyz));
  float wide = clamp(aTo.w * ckPixelsAtMeter / max(away, 1e-6), 1.0, aFrom.w * ckWidthScale);
  vLook = vec4(aColor.rgb, 0.5 * wide);
  float reach = vLook.w + kBorder;
  bool end = (gl_VertexID & 1) == 1;
  float side = (gl_VertexID & 2) == 2 ? 1.0 : -1.0;
  vec2 place = end ? vEnds.zw + direction * reach : vEnds.xy - direction * reach;
  place += vec2(-direction.y, direction.x) * side * reach;
  gl_Position = vec4(place / ckPixels * 2.0 - 1.0, end ? b.z : a.z, 1.0);
}
