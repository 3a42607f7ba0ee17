// An actor as a function of the crowd's time alone (docs/techniques.md 1.2): the frames of a clip in any
// loop mode, and the position on a circle that it walks round. core/crowd computes the same in lanes.

// In place of CkFrames, 16 bytes. `clip` lies where CkFrames has frameB, and is below -1, which frameB
// never is.
struct CkPlay {
  int start;     // clipStart() in core/anim/clip_place.h
  int paceLow;   // bits 0 to 31 of clipPace()
  int clip;      // ck_clipOfPlay
  int paceHigh;  // bits 32 to 63 of clipPace()
};

// A clip's number and its loop mode: 0 loop, 1 once, 2 ping-pong.
CK_FN int ck_playedClip(int number, int loopMode) { return -2 - (number * 4 + loopMode); }
CK_FN int ck_numberOfPlayed(int stored) { return (-2 - stored) >> 2; }
CK_FN int ck_modeOfPlayed(int stored) { return (-2 - stored) & 3; }

// Bits 32 to 63 of a product. It is made of parts of 16 bits, because OpenGL 3.3 has none of 64.
CK_FN uint ck_upperOf(uint x, uint y) {
  uint a = x >> 16;
  uint b = x & 65535u;
  uint c = y >> 16;
  uint d = y & 65535u;
  uint ad = a * d;
  uint bc = b * c;
  uint middle = ((b * d) >> 16) + (ad & 65535u) + (bc & 65535u);
  return a * c + (ad >> 16) + (bc >> 16) + (middle >> 16);
}

// Bits 32 to 63 of time * pace, both of 64 bits and given in halves.
CK_FN uint ck_loopGone(uint timeLow, uint timeHigh, uint paceLow, uint paceHigh) {
  return ck_upperOf(timeLow, paceLow) + paceHigh * timeLow + paceLow * timeHigh;
}

// placeOnce() in core/anim/clip_place.h.
CK_FN uint ck_placeOnce(uint start, uint timeLow, uint timeHigh, uint paceLow, uint paceHigh) {
  bool isBackwards = ((timeHigh ^ paceHigh) >> 31) != 0u;
  // Magnitudes in two's complement.
  if ((timeHigh >> 31) != 0u) {
    timeLow = ~timeLow + 1u;
    timeHigh = ~timeHigh + (timeLow == 0u ? 1u : 0u);
  }
  if ((paceHigh >> 31) != 0u) {
    paceLow = ~paceLow + 1u;
    paceHigh = ~paceHigh + (paceLow == 0u ? 1u : 0u);
  }
  uint lower = ck_upperOf(timeLow, paceLow);
  // One of the mixed products is 0 unless the clip is over.
  uint gone = lower + timeHigh * paceLow + timeLow * paceHigh;
  uint beyond = ck_upperOf(timeHigh, paceLow) | ck_upperOf(timeLow, paceHigh) | (gone >> 31);
  if (timeHigh != 0u) beyond = beyond | paceHigh;
  if (beyond != 0u || gone < lower) gone = 2147483648u;
  if (isBackwards) return start - (gone < start ? gone : start);
  uint left = 2147483648u - start;
  return start + (gone < left ? gone : left);
}

// The frames of a loop at a place, a fraction of 2^32 of the clip. `intervals` lie between the clip's
// moments, at most 65535.
CK_FN CkFrames ck_framesOfLoop(uint place, int firstFrame, int intervals) {
  uint steps = uint(intervals);
  uint upper = (place >> 16) * steps + (((place & 65535u) * steps) >> 16);
  uint lower = place * steps;
  CkFrames shown;
  shown.frameA = firstFrame + int(upper >> 16);
  // In halves, so that only their sum is rounded; times 2^-32.
  shown.alphaA =
      (float(int(lower >> 16)) * 65536.0f + float(int(lower & 65535u))) * 2.3283064365386963e-10f;
  shown.frameB = -1;
  shown.alphaB = 0.0f;
  return shown;
}

// The frames of an actor. `time`: loopTime() and heldTime(), each in halves. `intervals` as above.
CK_FN CkFrames ck_framesOfPlay(CkPlay play, ivec4 time, int firstFrame, int intervals) {
  int mode = ck_modeOfPlayed(play.clip);
  uint start = uint(play.start);
  uint low = uint(play.paceLow);
  uint high = uint(play.paceHigh);
  uint place = start + ck_loopGone(uint(time.x), uint(time.y), low, high);
  if (mode == 0) return ck_framesOfLoop(place, firstFrame, intervals);
  if (mode == 1) place = ck_placeOnce(start, uint(time.z), uint(time.w), low, high);
  if (place > 2147483648u) place = ~place + 1u;
  CkFrames shown = ck_framesOfLoop(place << 1, firstFrame, intervals);
  if (place == 2147483648u) {
    shown.frameA = firstFrame + intervals - 1;
    shown.alphaA = 1.0f;
  }
  return shown;
}

// Whether a play has come to the end of its clip. A loop never does.
CK_FN bool ck_isAtEnd(CkPlay play, CkFrames shown, int firstFrame, int intervals) {
  return ck_modeOfPlayed(play.clip) != 0 && shown.frameA - firstFrame == intervals - 1 && shown.alphaA >= 1.0f;
}

// The stored frames in place of an interval between two moments, of a clip that does not have one frame
// for each (IntervalFrames in core/anim/playback.h).
CK_FN CkFrames ck_framesOfInterval(CkFrames shown, int frame, float offset, float share) {
  shown.frameA = frame;
  shown.alphaA = (offset + shown.alphaA) * share;
  return shown;
}

// Where an actor stands on the ground.
struct CkStand {
  vec3 position;
  vec4 rotation;
};

// Where an actor is that was at `start` at time 0 and has gone round a circle of `radius` metres, which
// lies to its left, or to its right if it is negative. `place` is half of the angle it has gone, a
// fraction of 2^32 of a turn. At place 0 it is just at `start`.
CK_FN CkStand ck_roundCircle(vec3 start, vec4 turn, float radius, uint place) {
  // Sine and cosine by their series at half of the angle, which is doubled; they are off by less than
  // 3e-7 (core/crowd/travels.cpp).
  float x = float(int(place)) * (2.3283064365386963e-10f * 3.14159265f);
  float z = x * x;
  float s = x * (1.0f + z * (-1.0f / 6.0f + z * (1.0f / 120.0f + z * (-1.0f / 5040.0f +
            z * (1.0f / 362880.0f - z * (1.0f / 39916800.0f))))));
  float c = 1.0f + z * (-0.5f + z * (1.0f / 24.0f + z * (-1.0f / 720.0f + z * (1.0f / 40320.0f +
            z * (-1.0f / 3628800.0f + z * (1.0f / 479001600.0f))))));
  float sine = 2.0f * s * c;
  float cosine = 1.0f - 2.0f * s * s;
  CkStand stand;
  stand.position =
      start + ck_rotate(turn, vec3(radius * 2.0f * sine * sine, 0.0f, radius * 2.0f * sine * cosine));
  stand.rotation = ck_quatMul(turn, vec4(0.0f, sine, 0.0f, cosine));
  return stand;
}
