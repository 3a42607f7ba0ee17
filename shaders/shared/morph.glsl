// The contribution of a morph target to an integer accumulator. `steps` is the target's difference
// in the accumulator's steps. One product and one rounding, half to even, give the same bits on
// every processor, with or without fused operations (docs/techniques.md 5.1).
CK_FN int ck_morphStep(float weight, float steps) {
  return int(roundEven(weight * steps));
}
