// The write-up's formulation, rebuilt from its description: a floating-point texture with time
// across and three rows a joint (place, rotation, scale of the joint itself), four influences, each
// fetched at two frames whatever its weight, and each joint's matrix times its inverse bind matrix
// made here, for every vertex. CK_JOINTS: the number of joints.
#define CK_OUTWARD_NORMALS

uniform sampler2D ckAtlas;
layout(std140) uniform ckInverseBindBlock { mat4 ckInverseBinds[CK_JOINTS]; };

mat4 ckMatrixOf(vec3 place, vec4 rotation, vec3 scale) {
  return mat4(vec4(ck_rotate(rotation, vec3(scale.x, 0.0, 0.0)), 0.0),
              vec4(ck_rotate(rotation, vec3(0.0, scale.y, 0.0)), 0.0),
              vec4(ck_rotate(rotation, vec3(0.0, 0.0, scale.z)), 0.0), vec4(place, 1.0));
}

mat4 ckJointMatrix(int joint, ivec2 frames, float weight) {
  int row = joint * 3;
  vec4 placeA = texelFetch(ckAtlas, ivec2(frames.x, row), 0);
  vec4 rotationA = texelFetch(ckAtlas, ivec2(frames.x, row + 1), 0);
  vec4 scaleA = texelFetch(ckAtlas, ivec2(frames.x, row + 2), 0);
  vec4 placeB = texelFetch(ckAtlas, ivec2(frames.y, row), 0);
  vec4 rotationB = texelFetch(ckAtlas, ivec2(frames.y, row + 1), 0);
  vec4 scaleB = texelFetch(ckAtlas, ivec2(frames.y, row + 2), 0);
  return ckMatrixOf(mix(placeA.xyz, placeB.xyz, weight),
                    ck_quatNlerpShort(rotationA, rotationB, weight),
                    mix(scaleA.xyz, scaleB.xyz, weight)) *
         ckInverseBinds[joint];
}

CkSkinned ckSkin(CkActor actor) {
  ivec2 frames = actor.frames.xy;
  float weight = actor.positionAlphaA.w;
  ivec4 joints = ivec4(aSkinJoints);
  mat4 skin = ckJointMatrix(joints.x, frames, weight) * aWeights.x;
  skin += ckJointMatrix(joints.y, frames, weight) * aWeights.y;
  skin += ckJointMatrix(joints.z, frames, weight) * aWeights.z;
  skin += ckJointMatrix(joints.w, frames, weight) * aWeights.w;
  mat4 model = ckMatrixOf(actor.positionAlphaA.xyz, actor.rotation, actor.scaleAlphaB.xyz);
  CkSkinned skinned;
  skinned.position = (model * skin * vec4(aPosition, 1.0)).xyz;
  skinned.normal = (model * skin * vec4(aNormal.xyz, 0.0)).xyz;
#if CK_TANGENTS
  vec4 bound = ckBoundTangent;
  mat3 linear = mat3(model * skin);
  skinned.tangent = vec4(linear * bound.xyz, bound.w * ckSideAfter(determinant(linear)));
#endif
  return skinned;
}
