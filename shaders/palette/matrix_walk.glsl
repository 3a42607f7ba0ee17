// The pose of a joint that is a whole matrix: one link after another is multiplied in front until the
// root is reached, which is seen from the model.
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
