// Pivot form of a skin matrix: v' = scale * rotate(rotation, v - pivot) + position.
struct CkPose {
  vec4 rotation;       // unit quaternion
  vec4 positionScale;  // xyz: where the joint is (metres); w: uniform scale
};

// P16: texel 0 is position and scale, texel 1 the quaternion, both as 0..1; rangeLow and rangeSize
// are the joint's own for texel 0. The quaternion spans -1..1 and is not normalised here, so that
// texels may be interpolated before decoding.
CK_FN CkPose ck_decodeP16(vec4 texel0, vec4 texel1, vec4 rangeLow, vec4 rangeSize) {
  CkPose pose;
  pose.positionScale = rangeLow + texel0 * rangeSize;
  pose.rotation = texel1 * 2.0f - vec4(1.0f, 1.0f, 1.0f, 1.0f);
  return pose;
}

CK_FN vec3 ck_posePoint(CkPose pose, vec3 pivot, vec3 v) {
  vec3 p = vec3(pose.positionScale.x, pose.positionScale.y, pose.positionScale.z);
  return pose.positionScale.w * ck_rotate(pose.rotation, v - pivot) + p;
}
