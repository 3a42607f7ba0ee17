// A joint at the four frames of a moment, in either form of pose.

// What a variant does not need stays unread.
struct CkStored {
  CK_POSE_TYPE pose[4];
};

CkStored ckStoredAt(CkMoment moment, int joint) {
  CkStored stored;
  stored.pose[0] = ckStoredPose(moment.frames.x, joint);
#if CK_INTERPOLATE
  stored.pose[1] = ckStoredPose(moment.frames.y, joint);
#endif
#if CK_FADE
  stored.pose[2] = ckStoredPose(moment.frames.z, joint);
#if CK_INTERPOLATE
  stored.pose[3] = ckStoredPose(moment.frames.w, joint);
#endif
#endif
  return stored;
}

// The child as its parent sees it, frame by frame.
CkStored ckSeenFrom(CkStored parent, CkStored child) {
  CkStored seen;
  seen.pose[0] = ckSeenFrom(parent.pose[0], child.pose[0]);
#if CK_INTERPOLATE
  seen.pose[1] = ckSeenFrom(parent.pose[1], child.pose[1]);
#endif
#if CK_FADE
  seen.pose[2] = ckSeenFrom(parent.pose[2], child.pose[2]);
#if CK_INTERPOLATE
  seen.pose[3] = ckSeenFrom(parent.pose[3], child.pose[3]);
#endif
#endif
  return seen;
}

// Whether a parent sees its children in all frames that count.
bool ckHasSpace(CkStored parent) {
  int has = ckHasSpace(parent.pose[0]);
#if CK_INTERPOLATE
  has *= ckHasSpace(parent.pose[1]);
#endif
#if CK_FADE
  has *= ckHasSpace(parent.pose[2]);
#if CK_INTERPOLATE
  has *= ckHasSpace(parent.pose[3]);
#endif
#endif
  return has == 1;
}

// Between the four frames, all seen from the same place.
CK_POSE_TYPE ckAmong(CkStored seen, CkMoment moment) {
  CK_POSE_TYPE pose = seen.pose[0];
#if CK_INTERPOLATE
  pose = ckBetween(pose, seen.pose[1], moment.along.x);
#endif
#if CK_FADE
  CK_POSE_TYPE other = seen.pose[2];
#if CK_INTERPOLATE
  other = ckBetween(other, seen.pose[3], moment.along.y);
#endif
  pose = ckBetween(pose, other, moment.along.z);
#endif
  return pose;
}
