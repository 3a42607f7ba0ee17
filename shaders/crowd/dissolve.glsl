// With CK_DISSOLVE, discards the pixels that the actor's other level of detail draws: ckDissolve(). The
// pattern is fixed on the screen and the same for both levels, so that one of them has every pixel. Without the define
// there is no discard, which would cost early depth tests.
#ifdef CK_DISSOLVE
flat in int vShare;

// Bayer's ordered pattern of 8 x 8 pixels, 0 to 63.
int ckOrdered(ivec2 at) {
  int across = at.x ^ at.y;
  return ((across & 1) << 5) | ((at.y & 1) << 4) | ((across & 2) << 2) | ((at.y & 2) << 1) |
         ((across & 4) >> 1) | ((at.y & 4) >> 2);
}

void ckDissolve() {
  bool comes = ckOrdered(ivec2(gl_FragCoord.xy)) < 2 * (vShare & 31);
  if (comes == (vShare > 32)) discard;
}
#else
void ckDissolve() {}
#endif
