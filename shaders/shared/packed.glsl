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

// A quaternion of three numbers and the one that is left out, number `place` of x, y, z, w.
CK_FN vec4 ck_fourOf(vec3 others, float largest, int place) {
  if (place == 0) return vec4(largest, others.x, others.y, others.z);
  if (place == 1) return vec4(others.x, largest, others.y, others.z);
  if (place == 2) return vec4(others.x, others.y, largest, others.z);
  return vec4(others.x, others.y, others.z, largest);
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
  return ck_fourOf(others, largest, (words.y >> 30) & 3);
}

// R64 and R32 have the pose of a joint as its parent sees it. The position is the low value of the
// range, or a track. The number of the quaternion that is left out is positive.
//
// R64: two words. The first has two of the three numbers, 15 bits each from the lowest on: q means
// (q - 16383) / (16383 sqrt(2)); the two highest bits say which number is left out. The second has
// the third, and above it the scale in 17 bits, before its range.
CK_FN vec4 ck_seenScale64(ivec4 words) {
  return vec4(0.0f, 0.0f, 0.0f, float((words.y >> 15) & 131071) / 131071.0f);
}
CK_FN vec4 ck_seenTurn64(ivec4 words) {
  vec3 others = vec3(float((words.x & 32767) - 16383), float(((words.x >> 15) & 32767) - 16383),
                     float((words.y & 32767) - 16383)) * 0.0000431610072f;
  return ck_fourOf(others, sqrt(max(1.0f - dot(others, others), 0.0f)), (words.x >> 30) & 3);
}

// R32: the numbers of a texel of RGB10_A2UI: three of the quaternion, as in U64, and which is left
// out.
CK_FN vec4 ck_seenTurn32(ivec4 numbers) {
  vec3 others = vec3(float(numbers.x - 511), float(numbers.y - 511), float(numbers.z - 511)) *
                0.0013837706f;
  return ck_fourOf(others, sqrt(max(1.0f - dot(others, others), 0.0f)), numbers.w);
}

// Tracks: the position of a joint that moves against its parent, before its range. R64: x, y and z of
// 21 bits each from the lowest bit of the first word on.
CK_FN vec4 ck_track64(ivec4 words) {
  int y = ((words.x >> 21) & 2047) + (words.y & 1023) * 2048;
  return vec4(float(words.x & 2097151), float(y), float((words.y >> 10) & 2097151), 0.0f) / 2097151.0f;
}
// R32: the high and then the low 10 bits of x, y and z.
CK_FN vec4 ck_track32(ivec4 high, ivec4 low) {
  return vec4(float(high.x * 1024 + low.x), float(high.y * 1024 + low.y),
              float(high.z * 1024 + low.z), 0.0f) / 1048575.0f;
}
