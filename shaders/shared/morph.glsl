// What a morph target adds to an integer accumulator. `steps` is its difference in the accumulator's
// steps, a float. One product and one rounding, half to even, so that every side gets the same bits
// whatever it fuses.
CK_FN int ck_morphStep(float weight, float steps) {
  return int(roundEven(weight * steps));
}
