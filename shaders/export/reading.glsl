// The direct reading, for vertex shaders: each joint by itself.
#if CK_FORM == 2
CK_FN CkMatrix ckDirectPose(CkMoment moment, int joint) {
  CkMatrix pose = ckStoredPose(moment.clipIndex, moment.frame, joint);
  if (moment.alpha > 0.0f) {
    pose = ck_matrixBetween(pose, ckStoredPose(moment.clipIndex, moment.frame + 1, joint), moment.alpha);
  }
  return pose;
}
#else
#if CK_LOCAL == 0
CK_FN CkPose ckDirectPose(CkMoment moment, int joint) {
  CkPose pose = ckStoredPose(moment.clipIndex, moment.frame, joint);
  if (moment.alpha > 0.0f) {
    pose = ck_poseBetween(pose, ckStoredPose(moment.clipIndex, moment.frame + 1, joint), moment.alpha);
  }
  return pose;
}
#else
// A stored pose in the model. Walks from the joint to the root: a pass that fills a palette does that
// once for all vertices. Scales are those in the model.
CK_FN CkPose ckWalkedPose(int clipIndex, int frame, int joint) {
  CkPose link = ckStoredPose(clipIndex, frame, joint);
  CkPose pose = link;
  vec4 turned = vec4(0.0f, 0.0f, 0.0f, 1.0f);
  vec3 moved = vec3(0.0f, 0.0f, 0.0f);
  int parent = ckParentOf(joint);
  while (parent >= 0) {
    CkPose above = ckStoredPose(clipIndex, frame, parent);
    moved = above.scale * link.position + ck_rotate(link.rotation, moved);
    turned = ck_quatMul(link.rotation, turned);
    link = above;
    parent = ckParentOf(parent);
  }
  pose.rotation = normalize(ck_quatMul(link.rotation, turned));
  pose.position = link.position + ck_rotate(link.rotation, moved);
  return pose;
}

// Signs are not stored.
CK_FN CkPose ckDirectPose(CkMoment moment, int joint) {
  CkPose pose = ckWalkedPose(moment.clipIndex, moment.frame, joint);
  if (moment.alpha > 0.0f) {
    CkPose next = ckWalkedPose(moment.clipIndex, moment.frame + 1, joint);
    vec4 turn = ck_quatNlerpShort(pose.rotation, next.rotation, moment.alpha);
    pose = ck_poseBetween(pose, next, moment.alpha);
    pose.rotation = turn;
  }
  return pose;
}
#endif
#endif

// The skin matrix of a joint at a moment.
CK_FN CkMatrix ckDirectMatrix(CkMoment moment, int joint) {
  return ckSkinOf(ckDirectPose(moment, joint), joint);
}

// `sum` + the skin matrices of four influences. Joints with a weight of 0 are not read, so a vertex
// with one influence costs one joint.
CK_FN CkMatrix ckDirectPlus(CkMatrix sum, CkMoment moment, ivec4 joints, vec4 weights) {
  CkMatrix skin = sum;
  if (weights.x != 0.0f) {
    skin = ck_matrixPlus(skin, ckDirectMatrix(moment, joints.x), weights.x);
  }
  if (weights.y != 0.0f) {
    skin = ck_matrixPlus(skin, ckDirectMatrix(moment, joints.y), weights.y);
  }
  if (weights.z != 0.0f) {
    skin = ck_matrixPlus(skin, ckDirectMatrix(moment, joints.z), weights.z);
  }
  if (weights.w != 0.0f) {
    skin = ck_matrixPlus(skin, ckDirectMatrix(moment, joints.w), weights.w);
  }
  return skin;
}

// The matrix that moves a vertex with up to four influences: position ck_matrixPoint(m, v), normal
// normalize(ck_matrixNormal(m, n)).
CK_FN CkMatrix ckDirectSkin(CkMoment moment, ivec4 joints, vec4 weights) {
  return ckDirectPlus(ckNoMatrix(), moment, joints, weights);
}
