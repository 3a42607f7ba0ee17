// The colour of a motion. Hue is the direction on the screen (right red, up green-yellow, left
// cyan, down violet), brightness the speed; 1 is the brightest.
vec3 ckMotionColor(vec2 across, float speed) {
  if (dot(across, across) < 1e-20) return vec3(0.0);
  float turn = atan(across.y, across.x) / 6.28318531;
  vec3 hue = clamp(abs(fract(turn + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
  return mix(vec3(0.5), hue, 0.85) * sqrt(clamp(speed, 0.0, 1.0)) * 0.92;
}
