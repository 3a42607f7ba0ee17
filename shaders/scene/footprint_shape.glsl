// The soft shadow of a Gaussian distribution of joints on the ground (docs/techniques.md 4.7). Include
// shared/quaternion.glsl first.

// A footprint (core/view/footprints.h).
struct CkCloud {
  vec4 meanLow;
  vec3 diagonal;
  vec3 mixed;
};

// The axes of the ellipse of a covariance (xx, zz, xz): columns are the directions times the
// standard deviation.
mat2 ckAxes(vec3 c) {
  float mean = 0.5 * (c.x + c.y);
  float apart = 0.5 * (c.x - c.y);
  float root = sqrt(apart * apart + c.z * c.z);
  float angle = 0.5 * atan(c.z, apart + 1e-12);
  vec2 along = vec2(cos(angle), sin(angle));
  return mat2(along * sqrt(max(mean + root, 1e-8)),
              vec2(-along.y, along.x) * sqrt(max(mean - root, 1e-8)));
}

// dot(a, C b) for the symmetric matrix C with this diagonal and these elements xy, xz, yz.
float ckBetween(vec3 a, vec3 b, vec3 diagonal, vec3 mixed) {
  vec3 cb = vec3(diagonal.x * b.x + mixed.x * b.y + mixed.y * b.z,
                 mixed.x * b.x + diagonal.y * b.y + mixed.z * b.z,
                 mixed.y * b.x + mixed.z * b.y + diagonal.z * b.z);
  return dot(a, cb);
}

// A cloud of a body at `position`, seen along `slant` (metres on the ground per metre of height).
struct CkEllipse {
  vec2 center;
  mat2 axes;   // columns: directions times the standard deviation
  float size;  // root of the sum of both variances
  float low;   // height of the lowest joint above the ground
};

// A direction on the ground in the body's own space.
vec3 ckRow(vec4 rotation, vec3 scale, vec3 axis) {
  return ck_rotate(ck_quatConj(rotation), axis) * scale;
}

CkEllipse ckEllipseOf(CkCloud cloud, vec3 position, vec4 rotation, vec3 scale, vec2 slant) {
  vec3 mean = position + ck_rotate(rotation, scale * cloud.meanLow.xyz);
  vec3 rowX = ckRow(rotation, scale, vec3(1.0, -slant.x, 0.0));
  vec3 rowZ = ckRow(rotation, scale, vec3(0.0, -slant.y, 1.0));
  vec3 covariance = vec3(ckBetween(rowX, rowX, cloud.diagonal, cloud.mixed),
                         ckBetween(rowZ, rowZ, cloud.diagonal, cloud.mixed),
                         ckBetween(rowX, rowZ, cloud.diagonal, cloud.mixed));
  CkEllipse ellipse;
  ellipse.center = mean.xz - slant * mean.y;
  ellipse.axes = ckAxes(covariance);
  ellipse.size = sqrt(covariance.x + covariance.y);
  ellipse.low = max(position.y + cloud.meanLow.w * scale.y, 0.0);
  return ellipse;
}
