// Poses whose numbers are packed into words of 32 bits (docs/techniques.md 3.2). A word is passed as a
// signed integer. Each encoding has a value of position and scale, before its range, and a rotation.

// U128: four words of two numbers of 16 bits, the lower ones first.
CK_FN vec4 ck_unpack16(int first, int second) {
  return vec4(float(first & 65535), float((first >> 16) & 65535), float(second & 65535),
              float((second >> 16) & 65535)) / 65535.0f;
}
CK_FN vec4 ck_place128(ivec4 words) { return ck_unpack16(words.x, words.y); }
CK_FN vec4 ck_turn128(ivec4 words) {
  return 2.0f * ck_unpack16(words.z, words.w) - vec4(1.0f, 1.0f, 1.0f, 1.0f);
}

// U64: two words. The first has the position, 10 bits a number from the lowest on, and in bit 30
// whether the largest number of the quaternion is negative. The fourth number is 0: the scale is the
// low value of the range.
CK_FN vec4 ck_place64(ivec4 words) {
  return vec4(float(words.x & 1023), float((words.x >> 10) & 1023), float((words.x >> 20) & 1023),
              0.0f) / 1023.0f;
}

// The second word has the other three numbers of the quaternion in the order x, y, z, w: q of 10 bits
// means (q - 511) / (511 sqrt(2)), because none but the largest exceeds sqrt(1/2). The two highest
// bits say which number is left out. It follows from the length of 1; its sign is stored, so that
// signs agree from frame to frame as those of all rotations do.
CK_FN vec4 ck_turn64(ivec4 words) {
  vec3 others = vec3(float((words.y & 1023) - 511), float(((words.y >> 10) & 1023) - 511),
                     float(((words.y >> 20) & 1023) - 511)) * 0.0013837706f;
  float largest = sqrt(max(1.0f - dot(others, others), 0.0f));
  if (((words.x >> 30) & 1) == 1) largest = -largest;
  int place = (words.y >> 30) & 3;
  if (place == 0) return vec4(largest, others.x, others.y, others.z);
  if (place == 1) return vec4(others.x, largest, others.y, others.z);
  if (place == 2) return vec4(others.x, others.y, largest, others.z);
  return vec4(others.x, others.y, others.z, largest);
}
