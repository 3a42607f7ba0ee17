// Poses in matrix form: the three rows of A, each with a component of the pivot's position p as
// fourth element, so that v' = A * (v - pivot) + p. A is any matrix, with non-uniform scale, shear
// and mirroring. As affine matrices, poses multiply like any others (ck_matrixMul).

CK_FN CkMatrix ck_decodeMatrix(vec4 x, vec4 y, vec4 z) {
  CkMatrix m;
  m.x = x;
  m.y = y;
  m.z = z;
  return m;
}

CK_FN vec3 ck_rowOf(vec4 row) { return vec3(row.x, row.y, row.z); }

// Converts from v' = A * v + t, the form of skin matrices, to the form above and back.
CK_FN CkMatrix ck_matrixToPivot(CkMatrix m, vec3 pivot) {
  m.x.w += dot(ck_rowOf(m.x), pivot);
  m.y.w += dot(ck_rowOf(m.y), pivot);
  m.z.w += dot(ck_rowOf(m.z), pivot);
  return m;
}
CK_FN CkMatrix ck_matrixFromPivot(CkMatrix m, vec3 pivot) {
  m.x.w -= dot(ck_rowOf(m.x), pivot);
  m.y.w -= dot(ck_rowOf(m.y), pivot);
  m.z.w -= dot(ck_rowOf(m.z), pivot);
  return m;
}

// The direct reading between two frames. A rotation between them shrinks the matrix: by 0.4 % at 10
// degrees, by 3.4 % at 30 (docs/techniques.md 2.4).
CK_FN CkMatrix ck_matrixBetween(CkMatrix a, CkMatrix b, float alpha) {
  CkMatrix m;
  m.x = a.x + (b.x - a.x) * alpha;
  m.y = a.y + (b.y - a.y) * alpha;
  m.z = a.z + (b.z - a.z) * alpha;
  return m;
}

CK_FN vec3 ck_axesAfter(vec3 v) { return vec3(v.y, v.z, v.x); }
CK_FN vec3 ck_axesBefore(vec3 v) { return vec3(v.z, v.x, v.y); }

// The lengths of the columns of A, and the cosines between them: y and z, z and x, x and y.
struct CkStretch {
  vec3 lengths;
  vec3 cosines;
};
CK_FN CkStretch ck_matrixStretch(CkMatrix m) {
  vec3 x = ck_rowOf(m.x);
  vec3 y = ck_rowOf(m.y);
  vec3 z = ck_rowOf(m.z);
  CkStretch stretch;
  stretch.lengths = sqrt(x * x + y * y + z * z);
  vec3 products = ck_axesAfter(x) * ck_axesBefore(x) + ck_axesAfter(y) * ck_axesBefore(y) +
                  ck_axesAfter(z) * ck_axesBefore(z);
  vec3 both = ck_axesAfter(stretch.lengths) * ck_axesBefore(stretch.lengths);
  stretch.cosines = products / max(both, vec3(1e-20f, 1e-20f, 1e-20f));
  return stretch;
}

// Interpolates two matrices without shrinking (docs/techniques.md 2.4). Newton's iteration X := (g
// X + X^-T C / g) / 2 brings X = lerp(a, b) to X^T X = C, where C has the interpolated lengths and
// cosines of a and b. With Higham's factor g three steps suffice for any angle. For rotations the
// result differs from the nlerp of their quaternions by the third power of the angle. A singular
// matrix (scale 0, half a turn) keeps the plain lerp.
CK_FN CkMatrix ck_matrixKept(CkMatrix a, CkMatrix b, float alpha) {
  CkMatrix m = ck_matrixBetween(a, b, alpha);
  CkStretch first = ck_matrixStretch(a);
  CkStretch second = ck_matrixStretch(b);
  vec3 lengths = first.lengths + (second.lengths - first.lengths) * alpha;
  vec3 cosines = first.cosines + (second.cosines - first.cosines) * alpha;
  vec3 d = lengths * lengths;
  vec3 o = cosines * ck_axesAfter(lengths) * ck_axesBefore(lengths);
  vec3 c0 = vec3(d.x, o.z, o.y);
  vec3 c1 = vec3(o.z, d.y, o.x);
  vec3 c2 = vec3(o.y, o.x, d.z);
  float thin = 1e-4f * lengths.x * lengths.y * lengths.z;
  vec3 x = ck_rowOf(m.x);
  vec3 y = ck_rowOf(m.y);
  vec3 z = ck_rowOf(m.z);
  for (int i = 0; i < 3; ++i) {
    vec3 u = cross(y, z);
    vec3 v = cross(z, x);
    vec3 w = cross(x, y);
    float volume = dot(x, u);
    if (abs(volume) <= thin) break;
    vec3 p = vec3(dot(u, c0), dot(u, c1), dot(u, c2)) / volume;
    vec3 q = vec3(dot(v, c0), dot(v, c1), dot(v, c2)) / volume;
    vec3 r = vec3(dot(w, c0), dot(w, c1), dot(w, c2)) / volume;
    float grow = sqrt(sqrt((dot(p, p) + dot(q, q) + dot(r, r)) / (dot(x, x) + dot(y, y) + dot(z, z))));
    x = 0.5f * (grow * x + p / grow);
    y = 0.5f * (grow * y + q / grow);
    z = 0.5f * (grow * z + r / grow);
  }
  m.x = vec4(x.x, x.y, x.z, m.x.w);
  m.y = vec4(y.x, y.y, y.z, m.y.w);
  m.z = vec4(z.x, z.y, z.z, m.z.w);
  return m;
}

// A joint relative to its parent: inverse(parent) * m. The parent must be invertible: see
// ck_matrixHasSpace, whose limit is above the 16-bit rounding error of a singular matrix.
CK_FN CkMatrix ck_matrixSeenFrom(CkMatrix parent, CkMatrix m) {
  vec3 x = ck_rowOf(parent.x);
  vec3 y = ck_rowOf(parent.y);
  vec3 z = ck_rowOf(parent.z);
  vec3 u = cross(y, z);
  vec3 v = cross(z, x);
  vec3 w = cross(x, y);
  float part = 1.0f / dot(x, u);
  m.x.w -= parent.x.w;
  m.y.w -= parent.y.w;
  m.z.w -= parent.z.w;
  CkMatrix seen;
  seen.x = (m.x * u.x + m.y * v.x + m.z * w.x) * part;
  seen.y = (m.x * u.y + m.y * v.y + m.z * w.y) * part;
  seen.z = (m.x * u.z + m.y * v.z + m.z * w.z) * part;
  return seen;
}
CK_FN int ck_matrixHasSpace(CkMatrix parent) {
  vec3 x = ck_rowOf(parent.x);
  vec3 y = ck_rowOf(parent.y);
  vec3 z = ck_rowOf(parent.z);
  float longest = sqrt(max(max(dot(x, x), dot(y, y)), dot(z, z)));
  float volume = abs(dot(x, cross(y, z)));
  return longest > 1e-6f && volume > 1e-3f * longest * longest * longest ? 1 : 0;
}
