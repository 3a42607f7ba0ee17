// The normative time formulae (docs/techniques.md 1.1). core/anim/playback.h has them in double.
// Loop modes: 0 loop, 1 once, 2 ping-pong.
CK_FN float ck_unitTime(float cycles, int loopMode) {
  if (loopMode == 1) {
    return clamp(cycles, 0.0f, 1.0f);
  }
  if (loopMode == 2) {
    float s = cycles - 2.0f * floor(cycles * 0.5f);
    return s > 1.0f ? max(2.0f - s, 0.0f) : s;
  }
  float u = cycles - floor(cycles);
  return u >= 1.0f ? 0.0f : u;
}

// The frame before a time (the second frame is always the next one), and the fraction towards the
// next. `frameCount` counts moments, which do not have one stored frame each in every clip
// (docs/techniques.md 1.6 and 1.8). Records of actors have stored frames.
struct CkFrame {
  int frame;
  float alpha;
};
CK_FN CkFrame ck_frameAt(float unitTime, int frameCount) {
  CkFrame result;
  float x = unitTime * float(frameCount - 1);
  result.frame = max(min(int(x), frameCount - 2), 0);
  result.alpha = frameCount > 1 ? x - float(result.frame) : 0.0f;
  return result;
}
CK_FN int ck_nearestFrame(float unitTime, int frameCount) {
  return min(int(unitTime * float(frameCount - 1) + 0.5f), frameCount - 1);
}
