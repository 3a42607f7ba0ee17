// Adds noise of less than one step against banding, for colours in screen space, in fragment
// shaders. The noise is the R2 sequence (Martin Roberts, "The Unreasonable Effectiveness of
// Quasirandom Sequences", 2018): evenly distributed, and cheaper than noise without a pattern,
// which is invisible at this strength.
vec3 ckDithered(vec3 coded) {
  float noise = fract(dot(gl_FragCoord.xy, vec2(0.754877669, 0.569840296)));
  return coded + (noise - 0.5) / 255.0;
}
