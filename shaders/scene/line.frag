#version 330 core
// A smooth line with a dark outline, which keeps it visible on any ground; premultiplied.
flat in vec4 vEnds;
flat in vec4 vLook;
uniform float ckOpacity;
layout(location = 0) out vec4 oColor;

void main() {
  vec2 along = vEnds.zw - vEnds.xy;
  vec2 here = gl_FragCoord.xy - vEnds.xy;
  float t = clamp(dot(here, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
  float away = distance(here, along * t);
  float core = clamp(vLook.w + 0.5 - away, 0.0, 1.0);
  float outline = 0.6 * clamp(vLook.w + 1.5 - away, 0.0, 1.0);
  float alpha = max(core, outline) * ckOpacity;
  if (alpha <= 0.0) discard;
  oColor = vec4(vLook.rgb * core * ckOpacity, alpha);
}
