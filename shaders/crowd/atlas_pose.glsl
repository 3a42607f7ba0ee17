// Skins a vertex from the atlas: reads the pose of each joint that pulls on it, at the stored frame
// or between it and the next. CK_INFLUENCES: 1, 2 or 4. CK_INTERPOLATE: 0 or 1.
// CK_RANGE_PER_CLIP: ranges are stored for every clip.
#include "shared/atlas_address.glsl"
#include "shared/pivot_pose.glsl"

uniform sampler2D ckAtlas;
uniform samplerBuffer ckJoints;
uniform isamplerBuffer ckFrameClips;
uniform ivec4 ckShapeBlock;
uniform ivec4 ckShapeExtent;
uniform int ckJointCount;
uniform int ckFrameCount;

struct CkRange {
  vec3 pivot;
  vec4 low;
  vec4 size;
};

CkRange ckRangeOf(int frame, int joint) {
#if CK_RANGE_PER_CLIP
  int at = (texelFetch(ckFrameClips, frame).x * ckJointCount + joint) * 3;
#else
  int at = joint * 3;
#endif
  CkRange range;
  range.pivot = texelFetch(ckJoints, at).xyz;
  range.low = texelFetch(ckJoints, at + 1);
  range.size = texelFetch(ckJoints, at + 2);
  return range;
}

vec4 ckTexel(CkAtlasShape shape, ivec2 start, int along) {
  return texelFetch(ckAtlas, ck_atlasTexelAlong(shape, start, along), 0);
}

// `startA` and `startB`: the first texels of the two frames.
CkPose ckPoseOf(CkAtlasShape shape, ivec2 startA, ivec2 startB, float alpha, int joint,
                CkRange range) {
  int along = joint * shape.block.x;
  vec4 placeScale = ckTexel(shape, startA, along);
  vec4 rotation = ckTexel(shape, startA, along + 1);
#if CK_INTERPOLATE
  vec4 placeScaleB = ckTexel(shape, startB, along);
  vec4 rotationB = ckTexel(shape, startB, along + 1);
  placeScale = mix(placeScale, placeScaleB, alpha);
  rotation = mix(rotation, rotationB, alpha);
#endif
  CkPose pose = ck_decodeP16(placeScale, rotation, range.low, range.size);
  pose.rotation = normalize(pose.rotation);
  return pose;
}

CkSkinned ckSkin() {
  CkAtlasShape shape;
  shape.block = ckShapeBlock;
  shape.extent = ckShapeExtent;
  float alpha = aPositionAlphaA.w;
  // A crowd that was made for another atlas must not read beside this one.
#if CK_INTERPOLATE
  int frame = clamp(aFrames.x, 0, ckFrameCount - 2);
#else
  int frame = clamp(aFrames.x + (alpha >= 0.5 ? 1 : 0), 0, ckFrameCount - 1);
#endif
  ivec2 startA = ck_atlasTexel(shape, frame, 0, 0);
#if CK_INTERPOLATE
  ivec2 startB = ck_atlasTexel(shape, frame + 1, 0, 0);
#else
  ivec2 startB = startA;
#endif
  vec3 position = vec3(0.0);
  vec3 normal = vec3(0.0);
  float sum = 0.0;
  // Heaviest first, so the first empty slot ends it.
  for (int i = 0; i < CK_INFLUENCES; ++i) {
    float weight = aWeights[i];
    if (weight <= 0.0) break;
    int joint = int(aSkinJoints[i]);
    CkRange range = ckRangeOf(frame, joint);
    CkPose pose = ckPoseOf(shape, startA, startB, alpha, joint, range);
    position += weight * ck_posePoint(pose, range.pivot, aPosition);
    normal += weight * ck_rotate(pose.rotation, aNormal.xyz);
    sum += weight;
  }
  // A vertex that no joint pulls on stays at the model's origin, as weights of zero say.
  position /= max(sum, 1e-20);
  vec3 scale = aScaleAlphaB.xyz;
  CkSkinned skinned;
  skinned.position = aPositionAlphaA.xyz + ck_rotate(aRotation, scale * position);
  // The cofactors of the scale: right for uneven and mirrored scales, and defined for zero.
  skinned.normal = ck_rotate(aRotation, normal * (scale.yzx * scale.zxy));
  skinned.errorMeters = 0.0;
  return skinned;
}
