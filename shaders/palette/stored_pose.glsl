// The stored pose of a joint at a frame, and the matrix that it stands for.
#include "crowd/atlas_joint.glsl"

#if CK_FORM == 2
CkMatrix ckStoredMatrix(int frame, int joint) {
  CkAtlasShape shape;
  shape.block = ckShapeBlock;
  shape.extent = ckShapeExtent;
  ivec2 start = ckStartOf(shape, frame);
  vec4 texels[CK_TEXELS];
  for (int i = 0; i < CK_TEXELS; ++i) texels[i] = ckTexel(shape, start, joint * CK_TEXELS + i);
  CkJoint constants = ckJointOf(frame, joint);
  CkMatrix rows = ckDecodeRows(texels, constants);
#if CK_AT_ORIGIN
  rows = ck_matrixToPivot(rows, constants.pivot);
#endif
  return rows;
}

CkMatrix ckSkinMatrix(CkMatrix pose, int joint) {
  return ck_matrixFromPivot(pose, ckJointOf(0, joint).pivot);
}
#else
CkPose ckStoredPose(int frame, int joint) {
  CkAtlasShape shape;
  shape.block = ckShapeBlock;
  shape.extent = ckShapeExtent;
  ivec2 start = ckStartOf(shape, frame);
  vec4 texels[CK_TEXELS];
  for (int i = 0; i < CK_TEXELS; ++i) texels[i] = ckTexel(shape, start, joint * CK_TEXELS + i);
  CkPose pose = ckDecode(texels, ckJointOf(frame, joint));
  pose.rotation = normalize(pose.rotation);
  return pose;
}

CkMatrix ckSkinMatrix(CkPose pose, int joint) {
  // What never changes is the same in every clip but for the ranges.
  CkJoint constants = ckJointOf(0, joint);
#if CK_FORM == 0
  return ck_pivotSkinMatrix(pose, constants.pivot);
#else
  return ck_trsSkinMatrix(pose, constants.inverseBind);
#endif
}
#endif
