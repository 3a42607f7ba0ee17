#version 330 core
// The soft shadow of a far actor as scene/footprint.frag has it, both shadows at once.
flat in vec4 vCenterStrength;
flat in vec4 vToSun;
flat in vec4 vToContact;
flat in vec4 vMiddles;
// The depth of the ground at a pixel: a plane is one on the screen as well.
uniform vec3 ckGroundDepth;
layout(location = 0) out vec4 oColor;
void main() {
  vec2 away = gl_FragCoord.xy - vCenterStrength.xy;
  vec2 inSun = vToSun.xy * away.x + vToSun.zw * away.y - vMiddles.xy;
  vec2 inContact = vToContact.xy * away.x + vToContact.zw * away.y - vMiddles.zw;
  float sun = (1.0 - smoothstep(0.35, 2.3, length(inSun))) * vCenterStrength.z;
  float contact = max(exp(-0.5 * dot(inContact, inContact)) - 0.034, 0.0) * vCenterStrength.w;
  float dark = sun + contact - sun * contact;
  oColor = vec4(vec3(0.012, 0.012, 0.016) * dark, dark);
  gl_FragDepth = clamp(dot(ckGroundDepth, vec3(gl_FragCoord.xy, 1.0)), 0.0, 1.0);
}
