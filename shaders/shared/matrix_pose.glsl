// Poses that are whole matrices: the three rows of A with, fourth, where the
// joint's pivot is, so that v' = A * (v - pivot) + p. A is any matrix: uneven scales, shear and
// mirrors are kept. Taken as affine matrices these multiply like any others (ck_matrixMul).

CK_FN CkMatrix ck_decodeMatrix(vec4 x, vec4 y, vec4 z) {
  CkMatrix m;
  m.x = x;
  m.y = y;
  m.z = z;
  return m;
}

CK_FN vec3 ck_rowOf(vec4 row) { return vec3(row.x, row.y, row.z); }

// From v' = A * v + t, as skin matrices are, to the above and back.
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

// The direct reading between two frames. What turns between them shrinks on the way: by 0.4 % at 10
// degrees a frame, by 3.4 % at 30.
CK_FN CkMatrix ck_matrixBetween(CkMatrix a, CkMatrix b, float alpha) {
  CkMatrix m;
  m.x = a.x + (b.x - a.x) * alpha;
  m.y = a.y + (b.y - a.y) * alpha;
  m.z = a.z + (b.z - a.z) * alpha;
  return m;
}

CK_FN vec3 ck_axesAfter(vec3 v) { return vec3(v.y, v.z, v.x); }
CK_FN vec3 ck_axesBefore(vec3 v) { return vec3(v.z, v.x, v.y); }

// How long the columns of A are, and the cosines between them: y and z, z and x, x and y.
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

// Between two matrices without shrinking. X = lerp(a, b) is brought to X^T X = C, where C has the
// lengths and cosines that lie between those of a and b, by Newton's iteration for the polar form,
// X := (g X + X^-T C / g) / 2, with Higham's factor g that makes three steps do for any angle. For
// rotations this is the normalised lerp of their quaternions but for the third power of the angle.
// What is flat on the way (scale 0, half a turn) stays the plain mixture.
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

// A joint as its parent sees it: the parent's inverse times the joint. A parent that is flat sees
// nothing: see ck_matrixHasSpace, whose limit lies above what rounding to 16 bits leaves of a flat
// one.
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
