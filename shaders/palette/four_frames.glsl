// A joint at up to four frames (two per clip), for both kinds of pose.

// Unused frames are not read.
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

// The child relative to its parent, for each frame.
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

// Whether the parent has a space (a non-zero scale) in all frames in use.
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

// Interpolates between the four frames, all relative to the same parent.
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
