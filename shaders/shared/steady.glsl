// What an actor shows as a function of the crowd's time alone (docs/techniques.md 1.2): the frames of a
// looping clip, and the place on a circle that it walks round. core/crowd computes the same in lanes.

// In place of CkFrames, 16 bytes. `clip` lies where CkFrames has frameB, and is below -1, which frameB
// never is.
struct CkLoop {
  int start;     // loopStart() in core/anim/playback.h
  int paceLow;   // bits 0 to 31 of loopPace()
  int clip;      // ck_loopOfClip
  int paceHigh;  // bits 32 to 63 of loopPace()
};

CK_FN int ck_loopOfClip(int number) { return -2 - number; }
CK_FN int ck_clipOfLoop(int stored) { return -2 - stored; }

// Bits 32 to 63 of time * pace, both of 64 bits and given in halves. Products are made of parts of 16
// bits, because OpenGL 3.3 has none of 64.
CK_FN uint ck_loopGone(uint timeLow, uint timeHigh, uint paceLow, uint paceHigh) {
  uint a = timeLow >> 16;
  uint b = timeLow & 65535u;
  uint c = paceLow >> 16;
  uint d = paceLow & 65535u;
  uint ad = a * d;
  uint bc = b * c;
  uint middle = ((b * d) >> 16) + (ad & 65535u) + (bc & 65535u);
  return a * c + (ad >> 16) + (bc >> 16) + (middle >> 16) + paceHigh * timeLow + paceLow * timeHigh;
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
