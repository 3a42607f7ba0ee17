// The stored pose of a joint at a frame in its encoding's form, its matrix, and how such poses are
// made relative to a parent and interpolated. With CK_TRACK_TEXELS a stored pose is relative already.
#include "pose/atlas_joint.glsl"

#if CK_FORM == 2
#define CK_POSE_TYPE CkMatrix

CkMatrix ckStoredPose(int frame, int joint) {
  vec4 values[CK_VALUES];
  ckReadValues(ckStartOf(frame), joint, values);
  CkJoint constants = ckJointOf(frame, joint);
  CkMatrix rows = ckDecodeRows(values, constants);
#if CK_AT_ORIGIN
  rows = ck_matrixToPivot(rows, constants.pivot);
#endif
  return rows;
}

CkMatrix ckSkinMatrix(CkMatrix pose, int joint) {
  return ck_matrixFromPivot(pose, ckJointOf(0, joint).pivot);
}

CkMatrix ckSeenFrom(CkMatrix parent, CkMatrix child) { return ck_matrixSeenFrom(parent, child); }
int ckHasSpace(CkMatrix parent) { return ck_matrixHasSpace(parent); }
CkMatrix ckBetween(CkMatrix a, CkMatrix b, float along) { return ck_matrixKept(a, b, along); }
#else
#define CK_POSE_TYPE CkPose

CkPose ckStoredPose(int frame, int joint) {
  vec4 values[CK_VALUES];
  ivec2 start = ckStartOf(frame);
  ckReadValues(start, joint, values);
  CkJoint constants = ckJointOf(frame, joint);
  CkPose pose = ckDecode(values, constants);
  pose.rotation = normalize(pose.rotation);
#if CK_TRACK_TEXELS
  if (constants.track >= 0) pose.position = ckTrackPlace(start, constants);
#endif
  return pose;
}

CkMatrix ckSkinMatrix(CkPose pose, int joint) {
  // The constants are the same in every clip, except for the ranges.
  CkJoint constants = ckJointOf(0, joint);
#if CK_FORM == 0
  return ck_pivotSkinMatrix(pose, constants.pivot);
#else
  return ck_trsSkinMatrix(pose, constants.inverseBind);
#endif
}

CkPose ckSeenFrom(CkPose parent, CkPose child) { return ck_poseSeenFrom(parent, child); }
int ckHasSpace(CkPose parent) { return ck_poseHasSpace(parent); }

// Interpolates two relative poses. Signs do not agree between clips, and not between links.
CkPose ckBetween(CkPose a, CkPose b, float along) {
  if (dot(a.rotation, b.rotation) < 0.0) b.rotation = -b.rotation;
  return ck_poseBetween(a, b, along);
}
#endif
