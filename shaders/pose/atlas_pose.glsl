// Skins a vertex from the atlas: reads the poses of all joints that influence it.
// CK_INFLUENCES: 1, 2 or 4.
// CK_SAMPLING: 0 nearest stored frame, 1 two frames are fetched and interpolated, 2 the texture unit
//   interpolates between rows.
// CK_BLEND: 1 if actors fade to a second clip: the matrices of both are blended, which blends the
//   positions in world space.
// CK_NEXT_IN_B: 1 if the second frame is frame B instead of frame A + 1.
// Other defines as in atlas_joint.glsl.
#include "pose/atlas_joint.glsl"

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

// The values of a joint at the time of the actor, without their ranges. All that follows is linear
// except for the quaternion's length, so values can be interpolated before their ranges.
void ckValuesAt(CkMoment moment, int joint, out vec4 values[CK_VALUES]) {
#if CK_SAMPLING == 2
  for (int i = 0; i < CK_VALUES; ++i) {
    vec2 place = vec2(moment.startA.x + joint * CK_TEXELS + i, moment.startA.y) +
                 vec2(0.5, 0.5 + moment.alpha);
    values[i] = textureLod(ckAtlas, place / vec2(ckShapeExtent.xy), 0.0);
  }
#else
  ckReadValues(moment.startA, joint, values);
#if CK_SAMPLING == 1
  vec4 next[CK_VALUES];
  ckReadValues(moment.startB, joint, next);
  for (int i = 0; i < CK_VALUES; ++i) values[i] = mix(values[i], next[i], moment.alpha);
#endif
#endif
}

CkLink ckPoseOf(CkMoment moment, int joint, CkJoint constants) {
  vec4 values[CK_VALUES];
#if CK_FORM != 2 && (CK_NEXT_IN_B || (!CK_MIXES && CK_SAMPLING == 1))
  // Frames that are not neighbours have unrelated signs, and some values mix otherwise than the
  // poses that they hold.
  ckReadValues(moment.startA, joint, values);
  CkPose pose = ckDecode(values, constants);
  ckReadValues(moment.startB, joint, values);
  CkPose next = ckDecode(values, constants);
  pose.position = mix(pose.position, next.position, moment.alpha);
  pose.scale = mix(pose.scale, next.scale, moment.alpha);
  pose.rotation = ck_quatNlerpShort(pose.rotation, next.rotation, moment.alpha);
#else
  ckValuesAt(moment, joint, values);
  CkLink pose = ckDecode(values, constants);
#if CK_FORM != 2
  pose.rotation = normalize(pose.rotation);
#endif
#endif
  return pose;
}

// The rows of a joint's skin matrix at the time of the actor.
CkMatrix ckRowsOf(CkMoment moment, int joint) {
#if CK_AT_ORIGIN
  vec4 values[CK_VALUES];
  ckValuesAt(moment, joint, values);
  return ck_decodeMatrix(values[0], values[1], values[2]);
#else
  CkJoint constants = ckJointOf(moment.frame, joint);
  CkLink pose = ckPoseOf(moment, joint, constants);
  return CK_SKIN;
#endif
}

// Adds the matrices of the vertex's joints, each times its weight and `share`, to `sum`. Normals
// need the cofactors of the whole sum: cofactors of each joint's own matrix do not add up
// (docs/techniques.md 4.4).
void ckAddBody(CkMoment moment, float share, inout CkMatrix sum, inout float total) {
  // Influences are sorted by weight: the first empty one ends the loop.
  for (int i = 0; i < CK_INFLUENCES; ++i) {
    float weight = aWeights[i];
    if (weight <= 0.0) break;
    sum = ck_matrixPlus(sum, ckRowsOf(moment, int(aSkinJoints[i])), weight * share);
    total += weight * share;
  }
}

CkSkinned ckSkin(CkActor actor) {
  CkMoment first = ckMomentOf(actor.frames.x, actor.frames.y, actor.positionAlphaA.w);
  CkMatrix sum = CkMatrix(vec4(0.0), vec4(0.0), vec4(0.0));
  float total = 0.0;
#if CK_BLEND
  float blend = ck_lookBlend(actor.look);
  ckAddBody(first, 1.0 - blend, sum, total);
  if (blend > 0.0) {
    ckAddBody(ckMomentOf(actor.frames.y, 0, actor.scaleAlphaB.w), blend, sum, total);
  }
#else
  ckAddBody(first, 1.0, sum, total);
#endif
  return ckInWorld(actor, ckMovedBy(sum, total));
}
