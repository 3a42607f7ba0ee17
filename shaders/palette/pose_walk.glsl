// The pose of a joint in pivot or trs form: applies one link after another up to the root, which is
// read directly.

// The joint read directly. Signs agree within a clip, as for other readers.
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
  pose = ckBetween(pose, other, moment.along.z);
#endif
  return pose;
}

CkPose ckPoseOf(CkMoment moment, int joint) {
  CkStored here = ckStoredAt(moment, joint);
  CkPose top = ckDirect(here, moment);
  vec3 scale = top.scale;
  vec4 turned = vec4(0.0, 0.0, 0.0, 1.0);
  vec3 moved = vec3(0.0);
  // At a stored frame the result would be the stored pose, so the walk is skipped.
#if CK_INTERPOLATE || CK_FADE
  int parent = texelFetch(ckParents, joint).x;
  while (parent >= 0) {
    CkStored above = ckStoredAt(moment, parent);
    if (!ckHasSpace(above)) break;
    CkPose link = ckAmong(ckSeenFrom(above, here), moment);
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
