// Where a sum of skin matrices begins.
CK_FN CkMatrix ckNoMatrix() {
  CkMatrix m;
  m.x = vec4(0.0f, 0.0f, 0.0f, 0.0f);
  m.y = m.x;
  m.z = m.x;
  return m;
}
