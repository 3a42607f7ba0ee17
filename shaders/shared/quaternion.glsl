// Quaternions are vec4 x, y, z, w.
CK_FN vec3 ck_rotate(vec4 q, vec3 v) {
  vec3 u = vec3(q.x, q.y, q.z);
  vec3 t = 2.0f * cross(u, v);
  return v + q.w * t + cross(u, t);
}
CK_FN vec4 ck_quatMul(vec4 a, vec4 b) {
  vec3 u = vec3(a.x, a.y, a.z);
  vec3 v = vec3(b.x, b.y, b.z);
  vec3 w = a.w * v + b.w * u + cross(u, v);
  return vec4(w.x, w.y, w.z, a.w * b.w - dot(u, v));
}
CK_FN vec4 ck_quatConj(vec4 q) { return vec4(-q.x, -q.y, -q.z, q.w); }
// Normalised lerp of quaternions whose signs agree.
CK_FN vec4 ck_quatNlerp(vec4 a, vec4 b, float t) { return normalize(a + (b - a) * t); }
// Normalised lerp along the shorter arc.
CK_FN vec4 ck_quatNlerpShort(vec4 a, vec4 b, float t) {
  float s = dot(a, b) < 0.0f ? -1.0f : 1.0f;
  return normalize(a + (s * b - a) * t);
}
