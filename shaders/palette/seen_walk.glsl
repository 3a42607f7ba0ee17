// The pose of a joint whose encoding stores what parents see: mixes that at the joint and at each
// joint above it, and applies one link after another up to the root.
CkPose ckPoseOf(CkMoment moment, int joint) {
  CkPose pose = ckAmong(ckStoredAt(moment, joint), moment);
  int parent = texelFetch(ckParents, joint).x;
  while (parent >= 0) {
    CkPose above = ckAmong(ckStoredAt(moment, parent), moment);
    pose.position = above.position + ck_rotate(above.rotation, above.scale * pose.position);
    pose.rotation = ck_quatMul(above.rotation, pose.rotation);
    parent = texelFetch(ckParents, parent).x;
  }
  pose.rotation = normalize(pose.rotation);
  return pose;
}
