// Bodies that cover pixels in part are shown by noise that is fixed on the screen (its source: crowd/dither.glsl),
// so that as many pixels show them as they cover on average, as meshes do. Each actor has noise of its own: with the
// same for all, a dense crowd would leave the same pixels open again and again, and show the ground through them.

// A number of the actor's own in [0, 1), by the golden ratio.
float ckOwnShift(int actor) { return float((uint(actor) * 2654435769u) >> 16) / 65536.0; }

float ckCoverNoise(vec2 at, float shift) { return fract(dot(at, vec2(0.754877669, 0.569840296)) + shift); }

// The opacity of the pixel at `at` for a body that covers `pixels` < 1 of it: 1 or, so that no actor vanishes, a tenth.
float ckPointCover(float pixels, vec2 at, int actor) {
  const float kLeast = 0.1;
  float noise = ckCoverNoise(floor(at) + 0.5, ckOwnShift(actor));
  return kLeast + noise * (1.0 - kLeast) < pixels ? 1.0 : kLeast;
}
