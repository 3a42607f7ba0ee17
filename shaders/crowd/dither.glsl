// Less than one step of noise against bands, for colours as the screen has them; for fragment
// shaders. The noise is the sequence R2 (Martin Roberts, "The Unreasonable Effectiveness of
// Quasirandom Sequences", 2018): evenly spread, and cheaper than noise without a pattern, which at
// this strength nobody sees.
vec3 ckDithered(vec3 coded) {
  float noise = fract(dot(gl_FragCoord.xy, vec2(0.754877669, 0.569840296)));
  return coded + (noise - 0.5) / 255.0;
}
