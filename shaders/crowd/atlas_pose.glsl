// Skins a vertex from the atlas: reads the poses of all joints that influence it.
// CK_INFLUENCES: 1, 2 or 4.
// CK_SAMPLING: 0 nearest stored frame, 1 two frames are fetched and interpolated, 2 the texture unit
//   interpolates between rows.
// CK_BLEND: 1 if actors fade to a second clip: both are skinned and their positions blended.
// CK_NEXT_IN_B: 1 if the second frame is frame B instead of frame A + 1.
// Other defines as in atlas_joint.glsl.
#include "crowd/atlas_joint.glsl"

// A time in a clip: the first texels of the two frames around it.
struct CkMoment {
  int frame;
  ivec2 startA;
  ivec2 startB;
  float alpha;
};

// Clamped, so that a crowd made for another atlas does not read outside this one.
CkMoment ckMomentOf(int frame, int next, float alpha) {
  CkMoment moment;
#if CK_SAMPLING == 0
  moment.frame = clamp(frame + (alpha >= 0.5 ? 1 : 0), 0, ckFrameCount - 1);
#elif CK_NEXT_IN_B
  moment.frame = clamp(frame, 0, ckFrameCount - 1);
#else
  moment.frame = clamp(frame, 0, ckFrameCount - 2);
#endif
  moment.startA = ckStartOf(moment.frame);
#if CK_SAMPLING == 1 && CK_NEXT_IN_B
  moment.startB = ckStartOf(clamp(next, 0, ckFrameCount - 1));
#elif CK_SAMPLING == 1
  moment.startB = ckStartOf(moment.frame + 1);
#else
  moment.startB = moment.startA;
#endif
  moment.alpha = alpha;
  return moment;
}

// The texels at the time of the actor. All decoders are linear except for the quaternion's length,
// so texels can be interpolated before decoding.
vec4 ckTexelAt(CkMoment moment, int along) {
#if CK_SAMPLING == 2
  vec2 place = vec2(moment.startA.x + along, moment.startA.y) + vec2(0.5, 0.5 + moment.alpha);
  return textureLod(ckAtlas, place / vec2(ckShapeExtent.xy), 0.0);
#elif CK_SAMPLING == 1
  return mix(ckTexel(moment.startA, along), ckTexel(moment.startB, along),
             moment.alpha);
#else
  return ckTexel(moment.startA, along);
#endif
}

#if CK_FORM == 2
// The rows of the skin matrix at the time of the actor.
CkMatrix ckRowsOf(CkMoment moment, int joint) {
  int along = joint * CK_TEXELS;
  vec4 texels[CK_TEXELS];
  for (int i = 0; i < CK_TEXELS; ++i) texels[i] = ckTexelAt(moment, along + i);
#if CK_AT_ORIGIN
  return ck_decodeMatrix(texels[0], texels[1], texels[2]);
#else
  CkJoint constants = ckJointOf(moment.frame, joint);
  return ck_matrixFromPivot(ckDecodeRows(texels, constants), constants.pivot);
#endif
}

// Matrices are blended first; the vertex is transformed once.
CkSkinned ckBodyAt(CkMoment moment) {
  CkMatrix sum = CkMatrix(vec4(0.0), vec4(0.0), vec4(0.0));
  float total = 0.0;
  // Influences are sorted by weight: the first empty one ends the loop.
  for (int i = 0; i < CK_INFLUENCES; ++i) {
    float weight = aWeights[i];
    if (weight <= 0.0) break;
    sum = ck_matrixPlus(sum, ckRowsOf(moment, int(aSkinJoints[i])), weight);
    total += weight;
  }
  return ckMovedBy(sum, total);
}
#else
CkPose ckPoseOf(CkMoment moment, int joint, CkJoint constants) {
  int along = joint * CK_TEXELS;
  vec4 texels[CK_TEXELS];
#if CK_NEXT_IN_B
  // Frames that are not neighbours have unrelated signs.
  for (int i = 0; i < CK_TEXELS; ++i) texels[i] = ckTexel(moment.startA, along + i);
  CkPose pose = ckDecode(texels, constants);
  for (int i = 0; i < CK_TEXELS; ++i) texels[i] = ckTexel(moment.startB, along + i);
  CkPose next = ckDecode(texels, constants);
  pose.position = mix(pose.position, next.position, moment.alpha);
  pose.scale = mix(pose.scale, next.scale, moment.alpha);
  pose.rotation = ck_quatNlerpShort(pose.rotation, next.rotation, moment.alpha);
#else
  for (int i = 0; i < CK_TEXELS; ++i) texels[i] = ckTexelAt(moment, along + i);
  CkPose pose = ckDecode(texels, constants);
  pose.rotation = normalize(pose.rotation);
#endif
  return pose;
}

vec3 ckMoved(CkPose pose, CkJoint joint, vec3 place) {
#if CK_FORM == 0
  return ck_posePoint(pose, joint.pivot, place);
#else
  return ck_trsPoint(pose, joint.inverseBind, place);
#endif
}

// Any length: the cofactors of the scale are correct for non-uniform scales.
vec3 ckTurned(CkPose pose, CkJoint joint, vec3 normal) {
#if CK_FORM == 0
  return ck_rotate(pose.rotation, normal);
#else
  CkMatrix bind = joint.inverseBind;
  vec3 own = vec3(dot(bind.x.xyz, normal), dot(bind.y.xyz, normal), dot(bind.z.xyz, normal));
  return ck_rotate(pose.rotation, own * (pose.scale.yzx * pose.scale.zxy));
#endif
}

#if CK_TANGENTS
// Transformed by the linear part that also moves the position.
vec4 ckTangentBy(CkPose pose, CkJoint joint, vec4 bound) {
  vec3 scale = pose.scale;
#if CK_FORM == 0
  return vec4(scale * ck_rotate(pose.rotation, bound.xyz),
              bound.w * ckSideAfter(scale.x * scale.y * scale.z));
#else
  CkMatrix bind = joint.inverseBind;
  vec4 own = ckTurnedTangent(bind.x.xyz, bind.y.xyz, bind.z.xyz);
  return vec4(ck_rotate(pose.rotation, scale * own.xyz),
              own.w * ckSideAfter(scale.x * scale.y * scale.z));
#endif
}
#endif

CkSkinned ckBodyAt(CkMoment moment) {
  CkSkinned body;
  body.position = vec3(0.0);
  body.normal = vec3(0.0);
#if CK_TANGENTS
  vec4 bound = ckBoundTangent;
  body.tangent = vec4(0.0);
#endif
  float sum = 0.0;
  // Influences are sorted by weight: the first empty one ends the loop.
  for (int i = 0; i < CK_INFLUENCES; ++i) {
    float weight = aWeights[i];
    if (weight <= 0.0) break;
    int joint = int(aSkinJoints[i]);
    CkJoint constants = ckJointOf(moment.frame, joint);
    CkPose pose = ckPoseOf(moment, joint, constants);
    body.position += weight * ckMoved(pose, constants, aPosition);
    body.normal += weight * ckTurned(pose, constants, aNormal.xyz);
#if CK_TANGENTS
    body.tangent += weight * ckTangentBy(pose, constants, bound);
#endif
    sum += weight;
  }
  // A vertex without influences stays at the model's origin, as weights of zero mean.
  body.position /= max(sum, 1e-20);
  return body;
}
#endif

CkSkinned ckSkin(CkActor actor) {
  CkSkinned body =
      ckBodyAt(ckMomentOf(actor.frames.x, actor.frames.y, actor.positionAlphaA.w));
#if CK_BLEND
  float blend = ck_lookBlend(actor.look);
  if (blend > 0.0) {
    CkSkinned second = ckBodyAt(ckMomentOf(actor.frames.y, 0, actor.scaleAlphaB.w));
    body.position = mix(body.position, second.position, blend);
    body.normal = mix(body.normal, second.normal, blend);
#if CK_TANGENTS
    body.tangent = mix(body.tangent, second.tangent, blend);
#endif
  }
#endif
#if CK_TANGENTS
  body.tangent.w = sign(body.tangent.w);
#endif
  return ckInWorld(actor, body);
}
