// The skin matrix of one joint in one slot. Each thread walks from the joint to the root by itself.
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

CkMoment ckMomentOf(vec4 alphaA, vec4 alphaB, ivec4 record) {
  CkMoment moment;
  moment.along = vec3(alphaA.w, alphaB.w, record.y >= 0 ? ck_lookBlend(record.w) : 0.0);
  // Without a second clip the first one is read twice, with a blend of 0.
  ivec2 starts = ivec2(record.x, record.y >= 0 ? record.y : record.x);
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

CkMatrix ckJointMatrix(int slot, int joint) {
  CkMoment moment = ckMomentOf(texelFetch(ckPoses, slot * 3), texelFetch(ckPoses, slot * 3 + 2),
                               texelFetch(ckPoseFrames, slot));
  return ckSkinMatrix(ckPoseOf(moment, joint), joint);
}
