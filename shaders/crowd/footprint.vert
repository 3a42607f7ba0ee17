#version 330 core
// Soft shadows and selection rings on the ground: three quads per actor. The shadow is that of a
// Gaussian distribution of joints, which stays one under rotation, scaling and projection
// (docs/techniques.md 4.7).
#include "crowd/actor_record.glsl"
#include "shared/quaternion.glsl"
#include "crowd/light.glsl"

uniform mat4 ckViewProjection;
uniform samplerBuffer ckFootprints;
uniform int ckFootprintCount;
uniform float ckSunStrength;
uniform float ckContactStrength;

out vec2 vSpread;   // in standard deviations
out vec3 vWorld;
flat out float vStrength;
flat out int vRing;
flat out int vContact;

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

// The footprint between two frames; three texels per frame.
struct CkCloud {
  vec4 meanLow;
  vec3 diagonal;
  vec3 mixed;
};
CkCloud ckCloudAt(int wanted, float alpha) {
  int frame = min(wanted, ckFootprintCount - 1);
  int next = min(frame + 1, ckFootprintCount - 1);
  CkCloud cloud;
  cloud.meanLow =
      mix(texelFetch(ckFootprints, frame * 3), texelFetch(ckFootprints, next * 3), alpha);
  cloud.diagonal = mix(texelFetch(ckFootprints, frame * 3 + 1),
                       texelFetch(ckFootprints, next * 3 + 1), alpha).xyz;
  cloud.mixed = mix(texelFetch(ckFootprints, frame * 3 + 2),
                    texelFetch(ckFootprints, next * 3 + 2), alpha).xyz;
  return cloud;
}

CkCloud ckCloudOf(CkActor actor) {
  CkCloud cloud = ckCloudAt(actor.frames.x, actor.positionAlphaA.w);
  float blend = ck_lookBlend(actor.look);
  if (blend > 0.0) {
    CkCloud second = ckCloudAt(actor.frames.y, actor.scaleAlphaB.w);
    cloud.meanLow = mix(cloud.meanLow, second.meanLow, blend);
    cloud.diagonal = mix(cloud.diagonal, second.diagonal, blend);
    cloud.mixed = mix(cloud.mixed, second.mixed, blend);
  }
  return cloud;
}

// Projects a model-space offset along `slant` onto the ground plane.
vec3 ckRow(CkActor actor, vec3 axis) {
  return ck_rotate(ck_quatConj(actor.rotation), axis) * actor.scaleAlphaB.xyz;
}

void main() {
  int kind = gl_VertexID / 6;  // 0: shadow of the light, 1: contact, 2: ring
  CkActor actor = ckActor();
  CkCloud cloud = ckCloudOf(actor);
  vec3 scale = actor.scaleAlphaB.xyz;
  vec3 mean = actor.positionAlphaA.xyz + ck_rotate(actor.rotation, scale * cloud.meanLow.xyz);
  vec2 slant = kind == 0 ? kToLight.xz / kToLight.y : vec2(0.0);
  vec3 rowX = ckRow(actor, vec3(1.0, -slant.x, 0.0));
  vec3 rowZ = ckRow(actor, vec3(0.0, -slant.y, 1.0));
  vec3 covariance = vec3(ckBetween(rowX, rowX, cloud.diagonal, cloud.mixed),
                         ckBetween(rowZ, rowZ, cloud.diagonal, cloud.mixed),
                         ckBetween(rowX, rowZ, cloud.diagonal, cloud.mixed));
  mat2 axes = ckAxes(covariance);
  float low = max(actor.positionAlphaA.y + cloud.meanLow.w * scale.y, 0.0);
  float size = sqrt(covariance.x + covariance.y);
  float reach = kind == 0 ? 2.3 : 2.6;
  vStrength = kind == 0 ? ckSunStrength : ckContactStrength;
  vStrength *= exp(-low / (3.0 * size + 1e-6));
  if (kind == 2) {
    axes = mat2(size, 0.0, 0.0, size);
    vStrength = ckSelected();
  } else if (kind == 1) {
    axes *= 1.25;
  }
  vRing = kind == 2 ? 1 : 0;
  vContact = kind == 1 ? 1 : 0;
  int corner = gl_VertexID % 6;
  vec2 unit = vec2(corner == 1 || corner == 2 || corner == 4 ? 1.0 : -1.0,
                   corner == 2 || corner == 4 || corner == 5 ? 1.0 : -1.0);
  vSpread = unit * reach;
  vec2 center = mean.xz - slant * mean.y;
  vec2 place = center + axes * vSpread;
  vWorld = vec3(place.x, 0.0, place.y);
  gl_Position = ckViewProjection * vec4(vWorld, 1.0);
  // Invisible: emit no pixels.
  if (vStrength <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
