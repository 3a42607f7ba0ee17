// A pose in pivot form from the unit dual quaternion of its rigid skin matrix v' = R v + t: the
// rotation, and t R / 2 as the dual part (docs/techniques.md 3.2). Neither needs to be of unit length.
// The quaternion is not normalised here. The scale is 1.
CK_FN CkPose ck_decodeDual(vec4 dual, vec4 rotation, vec3 pivot) {
  float size = dot(rotation, rotation);
  vec4 moved = ck_quatMul(dual, ck_quatConj(rotation)) * (2.0f / size);
  CkPose pose;
  pose.position = ck_rotate(rotation / sqrt(size), pivot) + vec3(moved.x, moved.y, moved.z);
  pose.scale = vec3(1.0f, 1.0f, 1.0f);
  pose.rotation = rotation;
  return pose;
}
