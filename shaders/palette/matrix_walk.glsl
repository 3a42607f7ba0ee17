// The pose of a joint that is a whole matrix: one link after another is multiplied in front until the
// root is reached, which is seen from the model.

// A joint at the four frames of a moment; what a variant does not need stays unread.
struct CkStored {
  CkMatrix pose[4];
};

CkStored ckStoredAt(CkMoment moment, int joint) {
  CkStored stored;
  stored.pose[0] = ckStoredMatrix(moment.frames.x, joint);
#if CK_INTERPOLATE
  stored.pose[1] = ckStoredMatrix(moment.frames.y, joint);
#endif
#if CK_FADE
  stored.pose[2] = ckStoredMatrix(moment.frames.z, joint);
#if CK_INTERPOLATE
  stored.pose[3] = ckStoredMatrix(moment.frames.w, joint);
#endif
#endif
  return stored;
}

// Between the four frames, all seen from the same place.
CkMatrix ckAmong(CkStored seen, CkMoment moment) {
  CkMatrix m = seen.pose[0];
#if CK_INTERPOLATE
  m = ck_matrixKept(m, seen.pose[1], moment.along.x);
#endif
#if CK_FADE
  CkMatrix other = seen.pose[2];
#if CK_INTERPOLATE
  other = ck_matrixKept(other, seen.pose[3], moment.along.y);
#endif
  m = ck_matrixKept(m, other, moment.along.z);
#endif
  return m;
}

// The child as its parent sees it.
CkStored ckSeenFrom(CkStored parent, CkStored child) {
  CkStored seen;
  seen.pose[0] = ck_matrixSeenFrom(parent.pose[0], child.pose[0]);
#if CK_INTERPOLATE
  seen.pose[1] = ck_matrixSeenFrom(parent.pose[1], child.pose[1]);
#endif
#if CK_FADE
  seen.pose[2] = ck_matrixSeenFrom(parent.pose[2], child.pose[2]);
#if CK_INTERPOLATE
  seen.pose[3] = ck_matrixSeenFrom(parent.pose[3], child.pose[3]);
#endif
#endif
  return seen;
}

// Whether a parent sees its children in all frames that count.
bool ckHasSpace(CkStored parent) {
  int has = ck_matrixHasSpace(parent.pose[0]);
#if CK_INTERPOLATE
  has *= ck_matrixHasSpace(parent.pose[1]);
#endif
#if CK_FADE
  has *= ck_matrixHasSpace(parent.pose[2]);
#if CK_INTERPOLATE
  has *= ck_matrixHasSpace(parent.pose[3]);
#endif
#endif
  return has == 1;
}

CkMatrix ckPoseOf(CkMoment moment, int joint) {
  CkStored here = ckStoredAt(moment, joint);
  // At a stored frame the walk would only return where it came from.
#if CK_INTERPOLATE || CK_FADE
  CkMatrix below = ck_trsMatrix(vec3(0.0), vec4(0.0, 0.0, 0.0, 1.0), vec3(1.0));
  int parent = texelFetch(ckParents, joint).x;
  while (parent >= 0) {
    CkStored above = ckStoredAt(moment, parent);
    if (!ckHasSpace(above)) break;
    below = ck_matrixMul(ckAmong(ckSeenFrom(above, here), moment), below);
    here = above;
    parent = texelFetch(ckParents, parent).x;
  }
  return ck_matrixMul(ckAmong(here, moment), below);
#else
  return here.pose[0];
#endif
}
