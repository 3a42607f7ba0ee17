// The stored pose of a joint in its encoding's form, and its skin matrix. With CK_LOCAL a stored pose is
// relative to the parent.
#include "pose/atlas_joint.glsl"

#if CK_FORM == 2
#define CkLink CkMatrix

CkMatrix ckStoredPose(CkMoment moment, int ahead, int joint) {
  int frame = moment.frame + ahead;
  vec4 values[CK_VALUES];
  ckReadValues(ckStartOf(frame), joint, values);
  CkJoint constants = ckJointOf(frame, joint);
  CkMatrix rows = ckDecodeRows(values, constants);
#if CK_AT_ORIGIN
  rows = ck_matrixToPivot(rows, constants.pivot);
#endif
  return rows;
}

CkMatrix ckSkinOf(CkMatrix pose, int joint) {
  return ck_matrixFromPivot(pose, ckJointOf(0, joint).pivot);
}
#else
#define CkLink CkPose

CkPose ckStoredPose(CkMoment moment, int ahead, int joint) {
  int frame = moment.frame + ahead;
  vec4 values[CK_VALUES];
  ivec2 start = ckStartOf(frame);
  ckReadValues(start, joint, values);
  CkJoint constants = ckJointOf(frame, joint);
  CkPose pose = ckDecode(values, constants);
  pose.rotation = normalize(pose.rotation);
#if CK_LOCAL
  if (constants.track >= 0) pose.position = ckTrackPlace(start, constants);
#endif
  return pose;
}

CkMatrix ckSkinOf(CkPose pose, int joint) {
  // The constants are the same in every clip, except for the ranges.
  CkJoint constants = ckJointOf(0, joint);
#if CK_FORM == 0
  return ck_pivotSkinMatrix(pose, constants.pivot);
#else
  return ck_trsSkinMatrix(pose, constants.inverseBind);
#endif
}
#endif
