// The relative reading, for passes that fill a palette: each joint is interpolated, and two clips are
// blended, relative to its parent. Limbs keep their lengths. The renderer and exports share this text
// (shaders/export/README.md says what they define before it).

#if CK_FORM == 2
CK_FN CkMatrix ckSeenFrom(CkMatrix parent, CkMatrix child) { return ck_matrixSeenFrom(parent, child); }
CK_FN int ckHasSpace(CkMatrix parent) { return ck_matrixHasSpace(parent); }
CK_FN CkMatrix ckBetween(CkMatrix a, CkMatrix b, float along) { return ck_matrixKept(a, b, along); }
#else
#if CK_LOCAL == 1
CK_FN CkPose ckSeenFrom(CkPose parent, CkPose child) { return child; }
CK_FN int ckHasSpace(CkPose parent) { return 1; }
#else
CK_FN CkPose ckSeenFrom(CkPose parent, CkPose child) { return ck_poseSeenFrom(parent, child); }
CK_FN int ckHasSpace(CkPose parent) { return ck_poseHasSpace(parent); }
#endif
// Signs of quaternions do not agree between clips, and not between relative poses.
CK_FN CkPose ckBetween(CkPose a, CkPose b, float along) {
  if (dot(a.rotation, b.rotation) < 0.0f) b.rotation = -b.rotation;
  return ck_poseBetween(a, b, along);
}
#endif

// A joint at the frames before and after both moments. Frames that are not read equal others.
struct CkFour {
  CkLink a0;
  CkLink a1;
  CkLink b0;
  CkLink b1;
};

CK_FN CkFour ckStoredFour(CkShown shown, int joint) {
  CkFour four;
  four.a0 = ckStoredPose(shown.a, 0, joint);
  four.a1 = four.a0;
  if (ckIsBetween(shown.a)) four.a1 = ckStoredPose(shown.a, 1, joint);
  four.b0 = four.a0;
  four.b1 = four.a1;
  if (ckIsBlended(shown)) {
    four.b0 = ckStoredPose(shown.b, 0, joint);
    four.b1 = four.b0;
    if (ckIsBetween(shown.b)) four.b1 = ckStoredPose(shown.b, 1, joint);
  }
  return four;
}

CK_FN CkFour ckFourSeenFrom(CkFour parent, CkFour child, CkShown shown) {
  CkFour four;
  four.a0 = ckSeenFrom(parent.a0, child.a0);
  four.a1 = four.a0;
  if (ckIsBetween(shown.a)) four.a1 = ckSeenFrom(parent.a1, child.a1);
  four.b0 = four.a0;
  four.b1 = four.a1;
  if (ckIsBlended(shown)) {
    four.b0 = ckSeenFrom(parent.b0, child.b0);
    four.b1 = four.b0;
    if (ckIsBetween(shown.b)) four.b1 = ckSeenFrom(parent.b1, child.b1);
  }
  return four;
}

CK_FN int ckFourHasSpace(CkFour four) {
  return ckHasSpace(four.a0) * ckHasSpace(four.a1) * ckHasSpace(four.b0) * ckHasSpace(four.b1);
}

CK_FN CkLink ckAmong(CkFour four, CkShown shown) {
  CkLink pose = four.a0;
  if (ckIsBetween(shown.a)) pose = ckBetween(pose, four.a1, shown.a.alpha);
  if (ckIsBlended(shown)) {
    CkLink other = four.b0;
    if (ckIsBetween(shown.b)) other = ckBetween(other, four.b1, shown.b.alpha);
    pose = ckBetween(pose, other, shown.blend);
  }
  return pose;
}

// A walk from a joint to the root gathers the joints below the one that it has reached. It begins with
// the joint alone, goes up by a link (a joint relative to its parent, which is stored as `above`), and
// ends at the pose of the topmost joint.
#if CK_FORM == 2
CK_FN CkMatrix ckWalkStart(CkMatrix pose) {
  return ck_trsMatrix(vec3(0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 1.0f), vec3(1.0f, 1.0f, 1.0f));
}
CK_FN CkMatrix ckWalkUp(CkMatrix below, CkMatrix link, CkFour above, CkShown shown) {
  return ck_matrixMul(link, below);
}
CK_FN CkMatrix ckWalkEnd(CkMatrix below, CkMatrix top) { return ck_matrixMul(top, below); }
#else
// Scales are those in the model.
CK_FN CkPose ckWalkStart(CkPose pose) {
  pose.rotation = vec4(0.0f, 0.0f, 0.0f, 1.0f);
  pose.position = vec3(0.0f, 0.0f, 0.0f);
  return pose;
}
CK_FN CkPose ckWalkUp(CkPose below, CkPose link, CkFour above, CkShown shown) {
  CkPose top = ckAmong(above, shown);
  below.position = top.scale * link.position + ck_rotate(link.rotation, below.position);
  below.rotation = ck_quatMul(link.rotation, below.rotation);
  return below;
}
CK_FN CkPose ckWalkEnd(CkPose below, CkPose top) {
  below.rotation = normalize(ck_quatMul(top.rotation, below.rotation));
  below.position = top.position + ck_rotate(top.rotation, below.position);
  return below;
}
#endif

CK_FN CkLink ckRelativePose(CkShown shown, int joint) {
  CkFour here = ckStoredFour(shown, joint);
  CkLink below = ckWalkStart(ckAmong(here, shown));
  int parent = ckParentOf(joint);
#if CK_LOCAL == 0
  // At a stored frame the result is the stored pose.
  if (!ckIsBetween(shown.a) && !ckIsBlended(shown)) parent = -1;
#endif
  while (parent >= 0) {
    CkFour above = ckStoredFour(shown, parent);
    if (ckFourHasSpace(above) == 0) break;
    below = ckWalkUp(below, ckAmong(ckFourSeenFrom(above, here, shown), shown), above, shown);
    here = above;
    parent = ckParentOf(parent);
  }
  return ckWalkEnd(below, ckAmong(here, shown));
}

// The skin matrix of a joint.
CK_FN CkMatrix ckRelativeMatrix(CkShown shown, int joint) {
  return ckSkinOf(ckRelativePose(shown, joint), joint);
}
