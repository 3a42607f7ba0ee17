// A joint at up to four frames (two per clip), for both kinds of pose.

// Runs DO(frame) for the frames in use.
#if CK_INTERPOLATE && CK_FADE
#define CK_FRAMES(DO) DO(0) DO(1) DO(2) DO(3)
#elif CK_INTERPOLATE
#define CK_FRAMES(DO) DO(0) DO(1)
#elif CK_FADE
#define CK_FRAMES(DO) DO(0) DO(2)
#else
#define CK_FRAMES(DO) DO(0)
#endif

struct CkStored {
  CK_POSE_TYPE pose[4];
};

CkStored ckStoredAt(CkMoment moment, int joint) {
  CkStored stored;
#define CK_READ(f) stored.pose[f] = ckStoredPose(moment.frames[f], joint);
  CK_FRAMES(CK_READ)
  return stored;
}

// The child relative to its parent, for each frame.
CkStored ckSeenFrom(CkStored parent, CkStored child) {
  CkStored seen;
#define CK_SEE(f) seen.pose[f] = ckSeenFrom(parent.pose[f], child.pose[f]);
  CK_FRAMES(CK_SEE)
  return seen;
}

// Whether the parent has a space (a non-zero scale) in all frames in use.
bool ckHasSpace(CkStored parent) {
  int has = 1;
#define CK_ASK(f) has *= ckHasSpace(parent.pose[f]);
  CK_FRAMES(CK_ASK)
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
