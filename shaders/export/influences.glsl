// `sum` + the skin matrices of four influences. Joints with a weight of 0 are not read, so a vertex
// with one influence costs one joint.
CK_FN CkMatrix ckSomePlus(CkMatrix sum, CkSource source, ivec4 joints, vec4 weights) {
  CkMatrix skin = sum;
  if (weights.x != 0.0f) {
    skin = ck_matrixPlus(skin, ckSomeMatrix(source, joints.x), weights.x);
  }
  if (weights.y != 0.0f) {
    skin = ck_matrixPlus(skin, ckSomeMatrix(source, joints.y), weights.y);
  }
  if (weights.z != 0.0f) {
    skin = ck_matrixPlus(skin, ckSomeMatrix(source, joints.z), weights.z);
  }
  if (weights.w != 0.0f) {
    skin = ck_matrixPlus(skin, ckSomeMatrix(source, joints.w), weights.w);
  }
  return skin;
}

// The matrix that moves a vertex with up to four influences: position ck_matrixPoint(m, v), normal
// normalize(ck_matrixNormal(m, n)).
CK_FN CkMatrix ckSomeSkin(CkSource source, ivec4 joints, vec4 weights) {
  return ckSomePlus(ckNoMatrix(), source, joints, weights);
}
