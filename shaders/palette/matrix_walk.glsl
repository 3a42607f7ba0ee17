// The pose of a joint in matrix form: multiplies with one link after another up to the root.
CkMatrix ckPoseOf(CkMoment moment, int joint) {
  CkStored here = ckStoredAt(moment, joint);
  // At a stored frame the result would be the stored pose, so the walk is skipped.
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
