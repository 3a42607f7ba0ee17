#version 330 core
// Lays the surfaces that cover in part over the picture (render/view/blend_layers.h): the mean of
// their colours by weight, with what all of them together cover.
uniform sampler2D ckBlendSum;     // colour times alpha and weight; the share that is left uncovered
uniform sampler2D ckBlendWeight;  // alpha times weight
layout(location = 0) out vec4 oColor;
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec4 sum = texelFetch(ckBlendSum, pixel, 0);
  float weight = texelFetch(ckBlendWeight, pixel, 0).x;
  if (weight <= 0.0) discard;
  oColor = vec4(sum.rgb / weight, 1.0 - sum.a);
}
