// The skin matrix of one joint of an actor. Each thread walks from the joint to the root by itself.
// This repeats the ancestors' work, but that is little compared with the vertices' work, and it
// needs no barrier.
// CK_INTERPOLATE: 0 or 1.
// CK_FADE: 1 if any slot shows two clips.
#include "palette/stored_pose.glsl"

uniform isamplerBuffer ckParents;

struct CkMoment {
  ivec4 frames;  // A, B of the first clip; A, B of the second clip
  vec3 along;    // fraction from A to B in each clip; blend of the clips
};

CkMoment ckMomentOf(CkActor actor) {
  CkMoment moment;
  bool hasSecond = actor.frames.y >= 0;
  moment.along = vec3(actor.positionAlphaA.w, actor.scaleAlphaB.w, hasSecond ? ck_lookBlend(actor.look) : 0.0);
  // Without a second clip the first one is read twice, with a blend of 0.
  ivec2 starts = ivec2(actor.frames.x, hasSecond ? actor.frames.y : actor.frames.x);
#if CK_INTERPOLATE
  // Clamped, so that a crowd made for another atlas does not read outside this one.
  starts = clamp(starts, ivec2(0), ivec2(ckFrameCount - 2));
  moment.frames = ivec4(starts.x, starts.x + 1, starts.y, starts.y + 1);
#else
  starts += ivec2(greaterThanEqual(moment.along.xy, vec2(0.5)));
  moment.frames = clamp(starts, ivec2(0), ivec2(ckFrameCount - 1)).xxyy;
#endif
  return moment;
}

#include "palette/four_frames.glsl"
#if CK_FORM == 2
#include "palette/matrix_walk.glsl"
#elif CK_TRACK_TEXELS
#include "palette/seen_walk.glsl"
#else
#include "palette/pose_walk.glsl"
#endif

CkMatrix ckJointMatrix(CkActor actor, int joint) {
  return ckSkinMatrix(ckPoseOf(ckMomentOf(actor), joint), joint);
}
