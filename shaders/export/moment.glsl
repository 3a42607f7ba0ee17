// A moment of a clip: `alpha` of the way from stored frame `frame` to the next. Frames count
// through the whole atlas. With an alpha of 0 the next frame is not read.
struct CkMoment {
  int clipIndex;
  int frame;
  float alpha;
};

// The clips that are shown at a time: clip a alone (blend 0), or `blend` of the way from a to b.
struct CkShown {
  CkMoment a;
  CkMoment b;
  float blend;
};

CK_FN bool ckIsBetween(CkMoment moment) { return moment.alpha > 0.0f; }
CK_FN bool ckIsBlended(CkShown shown) { return shown.blend > 0.0f; }

// Seconds of a clip as played.
CK_FN float ckClipSeconds(int clipIndex) { return ckTableTexel(CK_TABLE_CLIPS + clipIndex * 2).w; }

// 0 loop, 1 once, 2 ping-pong.
CK_FN int ckClipLoop(int clipIndex) { return int(ckTableTexel(CK_TABLE_CLIPS + clipIndex * 2).z); }

// The moment at `unit` in 0..1 of a clip: 0 its first frame, 1 its last.
CK_FN CkMoment ckMomentOf(int clipIndex, float unit) {
  vec4 clipA = ckTableTexel(CK_TABLE_CLIPS + clipIndex * 2);
  vec4 clipB = ckTableTexel(CK_TABLE_CLIPS + clipIndex * 2 + 1);
  CkFrame at = ck_frameAt(unit, int(clipA.y));
  CkMoment moment;
  moment.clipIndex = clipIndex;
  moment.frame = int(clipA.x) + at.frame;
  moment.alpha = at.alpha;
  if (clipB.z > 0.0f) {
    // Moments that are stored twice, because something jumps there, or not at all.
    vec4 interval = ckTableTexel(int(clipB.y) + at.frame + (unit >= 1.0f ? 1 : 0));
    moment.frame = int(clipA.x) + int(interval.x);
    moment.alpha = min((interval.y + at.alpha) * interval.z, 1.0f);
  }
#if CK_INTERPOLATE == 0
  moment.frame += moment.alpha < 0.5f ? 0 : 1;
  moment.alpha = 0.0f;
#endif
  return moment;
}

// The moment after `cycles` clip lengths, by the clip's own loop mode. Any sign.
CK_FN CkMoment ckMomentAt(int clipIndex, float cycles) {
  return ckMomentOf(clipIndex, ck_unitTime(cycles, ckClipLoop(clipIndex)));
}

// Clip lengths after `seconds` at `rate` (1 as authored, any sign).
CK_FN float ckCycles(int clipIndex, float seconds, float rate) {
  float whole = ckClipSeconds(clipIndex);
  return whole > 0.0f ? seconds * rate / whole : 0.0f;
}
