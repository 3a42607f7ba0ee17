// The pose of a joint in an atlas. The encoding determines its form:
//   pivot  v' = scale * rotate(rotation, v - pivot) + position; one scale for all axes
//   trs    v' = rotate(rotation, scale * (inverseBind * v)) + position; the joint's own position
// The pivot and the inverse bind matrix are constants of the joint.
struct CkPose {
  vec4 rotation;  // unit quaternion
  vec3 position;  // position of the joint (metres)
  vec3 scale;     // pivot form: three equal values
};

// The rows of an affine matrix.
struct CkMatrix {
  vec4 x;
  vec4 y;
  vec4 z;
};

// The value of a texel with a range.
CK_FN vec4 ck_ranged(vec4 texel, vec4 rangeLow, vec4 rangeSize) {
  return rangeLow + texel * rangeSize;
}

// Pivot form, from two texels after their ranges: position and scale; quaternion. The quaternion is
// not normalised here, so that texels may be interpolated before decoding.
CK_FN CkPose ck_decodePivot(vec4 place, vec4 rotation) {
  CkPose pose;
  pose.position = vec3(place.x, place.y, place.z);
  pose.scale = vec3(place.w, place.w, place.w);
  pose.rotation = rotation;
  return pose;
}

// Trs form, from one texel each for position, rotation and scale, after their ranges. Components
// that are not stored are passed as the pivot and a scale of 1. The quaternion is not normalised
// here.
CK_FN CkPose ck_decodeTrs(vec4 position, vec4 rotation, vec4 scale) {
  CkPose pose;
  pose.position = vec3(position.x, position.y, position.z);
  pose.scale = vec3(scale.x, scale.y, scale.z);
  pose.rotation = rotation;
  return pose;
}

// Transforms a vertex by a pose in pivot form.
CK_FN vec3 ck_posePoint(CkPose pose, vec3 pivot, vec3 v) {
  return pose.scale * ck_rotate(pose.rotation, v - pivot) + pose.position;
}

CK_FN vec3 ck_matrixPoint(CkMatrix m, vec3 v) {
  vec4 at = vec4(v.x, v.y, v.z, 1.0f);
  return vec3(dot(m.x, at), dot(m.y, at), dot(m.z, at));
}

// Transforms a vertex by a pose in trs form.
CK_FN vec3 ck_trsPoint(CkPose pose, CkMatrix inverseBind, vec3 v) {
  return ck_rotate(pose.rotation, pose.scale * ck_matrixPoint(inverseBind, v)) + pose.position;
}

// sum + m * weight.
CK_FN CkMatrix ck_matrixPlus(CkMatrix sum, CkMatrix m, float weight) {
  sum.x += weight * m.x;
  sum.y += weight * m.y;
  sum.z += weight * m.z;
  return sum;
}

// Multiplies a normal by the cofactor matrix of m's linear part, without normalising. Correct for
// non-uniform and mirroring scales, and defined for zero (docs/techniques.md 4.4).
CK_FN vec3 ck_matrixNormal(CkMatrix m, vec3 n) {
  vec3 x = vec3(m.x.x, m.x.y, m.x.z);
  vec3 y = vec3(m.y.x, m.y.y, m.y.z);
  vec3 z = vec3(m.z.x, m.z.y, m.z.z);
  return vec3(dot(cross(y, z), n), dot(cross(z, x), n), dot(cross(x, y), n));
}

// translate(position) * rotate(rotation) * scale(scale).
CK_FN CkMatrix ck_trsMatrix(vec3 position, vec4 rotation, vec3 scale) {
  float xx = rotation.x * rotation.x;
  float yy = rotation.y * rotation.y;
  float zz = rotation.z * rotation.z;
  float xy = rotation.x * rotation.y;
  float xz = rotation.x * rotation.z;
  float yz = rotation.y * rotation.z;
  float xw = rotation.x * rotation.w;
  float yw = rotation.y * rotation.w;
  float zw = rotation.z * rotation.w;
  CkMatrix m;
  m.x = vec4((1.0f - 2.0f * (yy + zz)) * scale.x, 2.0f * (xy - zw) * scale.y,
             2.0f * (xz + yw) * scale.z, position.x);
  m.y = vec4(2.0f * (xy + zw) * scale.x, (1.0f - 2.0f * (xx + zz)) * scale.y,
             2.0f * (yz - xw) * scale.z, position.y);
  m.z = vec4(2.0f * (xz - yw) * scale.x, 2.0f * (yz + xw) * scale.y,
             (1.0f - 2.0f * (xx + yy)) * scale.z, position.z);
  return m;
}

CK_FN CkMatrix ck_matrixMul(CkMatrix a, CkMatrix b) {
  CkMatrix m;
  vec4 w = vec4(0.0f, 0.0f, 0.0f, 1.0f);
  m.x = a.x.x * b.x + a.x.y * b.y + a.x.z * b.z + a.x.w * w;
  m.y = a.y.x * b.x + a.y.y * b.y + a.y.z * b.z + a.y.w * w;
  m.z = a.z.x * b.x + a.z.y * b.y + a.z.z * b.z + a.z.w * w;
  return m;
}

// The skin matrix (model space at bind time -> model space) of a pose in pivot form.
CK_FN CkMatrix ck_pivotSkinMatrix(CkPose pose, vec3 pivot) {
  CkMatrix m = ck_trsMatrix(pose.position, pose.rotation, pose.scale);
  m.x.w -= m.x.x * pivot.x + m.x.y * pivot.y + m.x.z * pivot.z;
  m.y.w -= m.y.x * pivot.x + m.y.y * pivot.y + m.y.z * pivot.z;
  m.z.w -= m.z.x * pivot.x + m.z.y * pivot.y + m.z.z * pivot.z;
  return m;
}

// The skin matrix of a pose in trs form.
CK_FN CkMatrix ck_trsSkinMatrix(CkPose pose, CkMatrix inverseBind) {
  return ck_matrixMul(ck_trsMatrix(pose.position, pose.rotation, pose.scale), inverseBind);
}

// The direct reading between two frames, for both forms: each joint by itself. The signs of the
// quaternions must agree; the bake ensures this.
CK_FN CkPose ck_poseBetween(CkPose a, CkPose b, float alpha) {
  CkPose pose;
  pose.position = a.position + (b.position - a.position) * alpha;
  pose.scale = a.scale + (b.scale - a.scale) * alpha;
  pose.rotation = ck_quatNlerp(a.rotation, b.rotation, alpha);
  return pose;
}

// A joint relative to its parent. The parent's scale must not be 0: see ck_poseHasSpace.
CK_FN CkPose ck_poseSeenFrom(CkPose parent, CkPose pose) {
  CkPose seen;
  vec4 back = ck_quatConj(parent.rotation);
  seen.rotation = ck_quatMul(back, pose.rotation);
  seen.position = ck_rotate(back, pose.position - parent.position) / parent.scale;
  seen.scale = pose.scale;
  return seen;
}
CK_FN int ck_poseHasSpace(CkPose parent) {
  vec3 s = parent.scale * parent.scale;
  return min(min(s.x, s.y), s.z) > 1e-12f ? 1 : 0;
}

// The relative reading between two frames, for both forms (docs/techniques.md 2.3). a and b are
// relative to the parent at the two frames (ck_poseSeenFrom). They are interpolated along the
// shorter arc and applied to the parent's current pose.
CK_FN CkPose ck_poseRelative(CkPose parentNow, CkPose a, CkPose b, float alpha) {
  CkPose pose;
  vec3 place = a.position + (b.position - a.position) * alpha;
  vec4 turn = ck_quatNlerpShort(a.rotation, b.rotation, alpha);
  pose.position = parentNow.position + ck_rotate(parentNow.rotation, parentNow.scale * place);
  pose.scale = a.scale + (b.scale - a.scale) * alpha;
  pose.rotation = normalize(ck_quatMul(parentNow.rotation, turn));
  return pose;
}
