#version 330 core
// Averages a window of pixels into one pixel of a picture (far/cell.glsl), over what is covered; where
// nothing is, over the window's surroundings.
// CK_FIRST_LEVEL: 1 if the window lies in what was just drawn, 0 if in the next larger level.
#if CK_FIRST_LEVEL
uniform sampler2D ckBlendSum;     // color as drawn
uniform sampler2D ckBlendWeight;  // form as drawn
vec4 ckColorAt(ivec2 at) { return texelFetch(ckBlendSum, at, 0); }
vec4 ckFormAt(ivec2 at) { return texelFetch(ckBlendWeight, at, 0); }
ivec2 ckSourceSize() { return textureSize(ckBlendSum, 0); }
#else
uniform sampler2DArray ckImpostors;  // its only level is the next larger one
uniform int ckLayer;
vec4 ckColorAt(ivec2 at) { return texelFetch(ckImpostors, ivec3(at, ckLayer), 0); }
vec4 ckFormAt(ivec2 at) { return texelFetch(ckImpostors, ivec3(at, ckLayer + 1), 0); }
ivec2 ckSourceSize() { return textureSize(ckImpostors, 0).xy; }
#endif
uniform int ckWindow;    // its side
uniform int ckFirstRow;  // of the picture that the source begins with

layout(location = 0) out vec4 oColor;
layout(location = 1) out vec4 oForm;

// Sums over every `stride`-th pixel of a window's rows and columns. Colours are added as linear light. `least`: a
// pixel's weight where nothing is covered.
float ckAdd(ivec2 from, ivec2 size, int stride, float least, out vec4 color, out vec4 form) {
  color = vec4(0.0);
  form = vec4(0.0);
  float sum = 0.0;
  for (int y = 0; y < size.y; y += stride) {
    for (int x = 0; x < size.x; x += stride) {
      ivec2 at = clamp(from + ivec2(x, y), ivec2(0), ckSourceSize() - 1);
      vec4 one = ckColorAt(at);
      vec4 shape = ckFormAt(at);
      float weight = max(shape.a, least);
      color += vec4(one.rgb * one.rgb, one.a) * weight;
      form += vec4(shape.xyz * weight, shape.a);
      sum += weight;
    }
  }
  return sum;
}

void main() {
  ivec2 from = (ivec2(gl_FragCoord.xy) - ivec2(0, ckFirstRow)) * ckWindow;
  vec4 color;
  vec4 form;
#if CK_FIRST_LEVEL
  float sum = ckAdd(from, ivec2(ckWindow), 1, 0.0, color, form);
  float covered = form.a / float(ckWindow * ckWindow);
  // Most pixels of a sheet show nothing, and their colour is seen only beside what is covered.
  int stride = max(ckWindow / 2, 1);
  if (sum == 0.0) sum = ckAdd(from - ckWindow, ivec2(3 * ckWindow), stride, 0.0, color, form);
#else
  float sum = ckAdd(from, ivec2(ckWindow), 1, 1e-3, color, form);
  float covered = form.a / float(ckWindow * ckWindow);
#endif
  sum = max(sum, 1e-6);
  oColor = vec4(sqrt(color.rgb / sum), color.a / sum);
  // Just a half is common in windows of four pixels, and shown (far/impostor.frag). Drivers round it, times
  // 255, up or down; a little more is rounded up by all.
  const float kMore = 0.25 / 255.0;
  oForm = vec4(form.xyz / sum, covered + kMore);
}
