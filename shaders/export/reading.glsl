// The direct reading, for vertex shaders: each joint by itself.
#if CK_LOCAL == 1
// A stored pose in the model. It takes a walk, which a pass that fills a palette does once for all vertices.
CK_FN CkPose ckModelPose(CkMoment moment, int ahead, int joint) {
  CkShown shown;
  shown.a = moment;
  shown.a.frame += ahead;
  shown.a.alpha = 0.0f;
  shown.b = shown.a;
  shown.blend = 0.0f;
  return ckRelativePose(shown, joint);
}
#else
CK_FN CkLink ckModelPose(CkMoment moment, int ahead, int joint) {
  return ckStoredPose(moment, ahead, joint);
}
#endif

CK_FN CkLink ckDirectPose(CkMoment moment, int joint) {
  CkLink pose = ckModelPose(moment, 0, joint);
  if (moment.alpha > 0.0f) {
#if CK_FORM == 2
    pose = ck_matrixBetween(pose, ckModelPose(moment, 1, joint), moment.alpha);
#else
    pose = ckBetween(pose, ckModelPose(moment, 1, joint), moment.alpha);
#endif
  }
  return pose;
}

// The skin matrix of a joint at a moment.
CK_FN CkMatrix ckDirectMatrix(CkMoment moment, int joint) {
  return ckSkinOf(ckDirectPose(moment, joint), joint);
}
