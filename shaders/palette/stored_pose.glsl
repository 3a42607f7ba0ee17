// The stored pose of a joint in its encoding's form, and its skin matrix. With CK_LOCAL a stored pose is
// relative to the parent.
#include "pose/atlas_joint.glsl"

CkLink ckStoredPose(CkMoment moment, int ahead, int joint) {
  int frame = moment.frame + ahead;
  vec4 values[CK_VALUES];
  ivec2 start = ckStartOf(frame);
  ckReadValues(start, joint, values);
  CkJoint constants = ckJointOf(frame, joint);
  CkLink pose = ckDecode(values, constants);
#if CK_FORM != 2
  pose.rotation = normalize(pose.rotation);
#endif
#if CK_LOCAL
  if (constants.track >= 0) pose.position = ckTrackPlace(start, constants);
#endif
  return pose;
}

CkMatrix ckSkinOf(CkLink pose, int joint) {
  // The constants are the same in every clip, except for the ranges.
  CkJoint constants = ckJointOf(0, joint);
  return CK_SKIN;
}
