// The pose of a joint with one rotation: what hangs below is turned and moved by one link after
// another until the root is reached, which is read by itself.

// A joint at these four frames; what a variant does not need stays unread.
struct CkStored {
  CkPose pose[4];
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

// Between two poses that are seen from the same place. Two clips have no agreed sign, and neither
// have links.
CkPose ckBetweenShort(CkPose a, CkPose b, float along) {
  if (dot(a.rotation, b.rotation) < 0.0) b.rotation = -b.rotation;
  return ck_poseBetween(a, b, along);
}

// The joint read by itself.
CkPose ckDirect(CkStored stored, CkMoment moment) {
  CkPose pose = stored.pose[0];
#if CK_INTERPOLATE
  pose = ck_poseBetween(pose, stored.pose[1], moment.along.x);
#endif
#if CK_FADE
  CkPose other = stored.pose[2];
#if CK_INTERPOLATE
  other = ck_poseBetween(other, stored.pose[3], moment.along.y);
#endif
  pose = ckBetweenShort(pose, other, moment.along.z);
#endif
  return pose;
}

// The child as its parent sees it.
CkPose ckLink(CkStored parent, CkStored child, CkMoment moment) {
  CkPose link = ck_poseSeenFrom(parent.pose[0], child.pose[0]);
#if CK_INTERPOLATE
  link = ckBetweenShort(link, ck_poseSeenFrom(parent.pose[1], child.pose[1]), moment.along.x);
#endif
#if CK_FADE
  CkPose other = ck_poseSeenFrom(parent.pose[2], child.pose[2]);
#if CK_INTERPOLATE
  other = ckBetweenShort(other, ck_poseSeenFrom(parent.pose[3], child.pose[3]), moment.along.y);
#endif
  link = ckBetweenShort(link, other, moment.along.z);
#endif
  return link;
}

// Whether a parent sees its children in all frames that count.
bool ckHasSpace(CkStored parent) {
  int has = ck_poseHasSpace(parent.pose[0]);
#if CK_INTERPOLATE
  has *= ck_poseHasSpace(parent.pose[1]);
#endif
#if CK_FADE
  has *= ck_poseHasSpace(parent.pose[2]);
#if CK_INTERPOLATE
  has *= ck_poseHasSpace(parent.pose[3]);
#endif
#endif
  return has == 1;
}

CkPose ckPoseOf(CkMoment moment, int joint) {
  CkStored here = ckStoredAt(moment, joint);
  CkPose top = ckDirect(here, moment);
  vec3 scale = top.scale;
  vec4 turned = vec4(0.0, 0.0, 0.0, 1.0);
  vec3 moved = vec3(0.0);
  // At a stored frame the walk would only return where it came from.
#if CK_INTERPOLATE || CK_FADE
  int parent = texelFetch(ckParents, joint).x;
  while (parent >= 0) {
    CkStored above = ckStoredAt(moment, parent);
    if (!ckHasSpace(above)) break;
    CkPose link = ckLink(above, here, moment);
    top = ckDirect(above, moment);
    moved = top.scale * link.position + ck_rotate(link.rotation, moved);
    turned = ck_quatMul(link.rotation, turned);
    here = above;
    parent = texelFetch(ckParents, parent).x;
  }
#endif
  CkPose pose;
  pose.rotation = normalize(ck_quatMul(top.rotation, turned));
  pose.position = top.position + ck_rotate(top.rotation, moved);
  pose.scale = scale;
  return pose;
}
