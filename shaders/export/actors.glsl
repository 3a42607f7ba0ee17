// The clips and blend that an actor shows, from its two texels of the actor texture (RGBA32F), made once
// and changed only when something else is to be played:
//   texel 0: x clip; y phase at 0 s, in clip lengths (of any sign); z rate (1 as authored; 0: the
//            phase is all there is); w blend of the second clip at 0 s
//   texel 1: x second clip, or -1; y its phase at 0 s; z its rate; w blend per second
// An actor ends a clip by the clip's own loop mode, or by another: the number of the clip is then
// 65536 * (1 + mode) larger (modes: 0 loop, 1 once, 2 ping-pong).
// The blend is clamped to 0..1, so a fade of half a second that begins at t0 has a blend of -t0 / 0.5
// at 0 s and 2 per second. Keep `seconds` below an hour: floats have no finer steps than 0.2 ms there.

CK_FN CkMoment ckPlayedAt(int numbered, float phase, float rate, float seconds) {
  int own = numbered / 65536;
  int clipIndex = numbered - own * 65536;
  int mode = own > 0 ? own - 1 : ckClipLoop(clipIndex);
  float cycles = phase + ckCycles(clipIndex, seconds, rate);
  return ckMomentOf(clipIndex, ck_unitTime(cycles, mode));
}

CK_FN CkShown ckShownBy(int actor, float seconds) {
  vec4 first = ckActorTexel(actor * 2);
  vec4 second = ckActorTexel(actor * 2 + 1);
  CkShown shown;
  shown.a = ckPlayedAt(int(first.x), first.y, first.z, seconds);
  shown.b = shown.a;
  shown.blend = 0.0f;
  if (second.x >= 0.0f) {
    shown.b = ckPlayedAt(int(second.x), second.y, second.z, seconds);
    shown.blend = clamp(first.w + second.w * seconds, 0.0f, 1.0f);
    // After a fade only the second clip is read.
    if (shown.blend >= 1.0f) {
      shown.a = shown.b;
      shown.blend = 0.0f;
    }
  }
  return shown;
}

// The matrix that moves a vertex of an actor, by the direct reading, without a palette.
CK_FN CkMatrix ckActorSkin(int actor, ivec4 joints, vec4 weights, float seconds) {
  CkShown shown = ckShownBy(actor, seconds);
  CkMatrix skin = ckDirectPlus(ckNoMatrix(), shown.a, joints, weights * (1.0f - shown.blend));
  return ckDirectPlus(skin, shown.b, joints, weights * shown.blend);
}
