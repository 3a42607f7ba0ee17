// The pose of a joint whose encoding stores what parents see: mixes that at the joint and at each
// joint above it, and applies one link after another up to the root. Scales are those in the model.
CkPose ckPoseOf(CkMoment moment, int joint) {
  CkPose link = ckAmong(ckStoredAt(moment, joint), moment);
  CkPose pose = link;
  vec4 turned = vec4(0.0, 0.0, 0.0, 1.0);
  vec3 moved = vec3(0.0);
  int parent = texelFetch(ckParents, joint).x;
  while (parent >= 0) {
    CkPose above = ckAmong(ckStoredAt(moment, parent), moment);
    moved = above.scale * link.position + ck_rotate(link.rotation, moved);
    turned = ck_quatMul(link.rotation, turned);
    link = above;
    parent = texelFetch(ckParents, parent).x;
  }
  pose.rotation = normalize(ck_quatMul(link.rotation, turned));
  pose.position = link.position + ck_rotate(link.rotation, moved);
  return pose;
}
