// The viridis colour map in screen colours, t in [0, 1]: Matt Zucker's polynomial fit (CC0).
vec3 ckViridis(float t) {
  const vec3 c0 = vec3(0.277727, 0.005407, 0.334100);
  const vec3 c1 = vec3(0.105093, 1.404614, 1.384590);
  const vec3 c2 = vec3(-0.330862, 0.214848, 0.095095);
  const vec3 c3 = vec3(-4.634230, -5.799101, -19.332441);
  const vec3 c4 = vec3(6.228270, 14.179933, 56.690553);
  const vec3 c5 = vec3(4.776385, -13.745145, -65.353033);
  const vec3 c6 = vec3(-5.435456, 4.645853, 26.312435);
  return clamp(c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * (c5 + t * c6))))), 0.0, 1.0);
}
