// The skin matrix of one joint of an actor. Each thread walks from the joint to the root by itself.
// This repeats the ancestors' work, but that is little compared with the vertices' work, and it
// needs no barrier.
// CK_INTERPOLATE: 0 or 1.
// CK_FADE: 1 if any slot shows two clips.
uniform isamplerBuffer ckParents;

struct CkMoment {
  int frame;
  float alpha;
};
struct CkShown {
  CkMoment a;
  CkMoment b;
  float blend;
};

#include "palette/stored_pose.glsl"

// Constant, so that a program has the text of nothing that it never reads.
bool ckIsBetween(CkMoment moment) { return CK_INTERPOLATE == 1; }
bool ckIsBlended(CkShown shown) { return CK_FADE == 1; }
int ckParentOf(int joint) { return texelFetch(ckParents, joint).x; }

#include "palette/relative.glsl"

CkMoment ckMomentOf(int frame, float alpha) {
  // Clamped, so that a crowd made for another atlas does not read outside this one.
#if CK_INTERPOLATE
  return CkMoment(clamp(frame, 0, ckFrameCount - 2), alpha);
#else
  return CkMoment(clamp(frame + (alpha >= 0.5 ? 1 : 0), 0, ckFrameCount - 1), alpha);
#endif
}

CkMatrix ckJointMatrix(CkActor actor, int slot, int joint) {
  // Without a second clip the first one is read twice, with a blend of 0.
  bool hasSecond = actor.frames.y >= 0;
  CkMoment first = ckMomentOf(actor.frames.x, actor.positionAlphaA.w);
  CkMoment second = ckMomentOf(hasSecond ? actor.frames.y : actor.frames.x, actor.scaleAlphaB.w);
  return ckRelativeMatrix(CkShown(first, second, hasSecond ? ck_lookBlend(actor.look) : 0.0), joint);
}
