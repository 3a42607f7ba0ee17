// The stored pose of a joint at the frame of a moment (ahead 0) or at the next (1).

CK_FN CkAtlasShape ckShape() {
  CkAtlasShape shape;
  shape.block = ivec4(CK_TEXELS_PER_JOINT, CK_TEXELS_PER_FRAME, CK_FRAMES_PER_BLOCK, CK_BLOCKS_PER_ROW);
  shape.extent = ivec4(CK_ATLAS_WIDTH, CK_ATLAS_HEIGHT, CK_BLOCK_WIDTH, CK_LINEAR);
  return shape;
}

CK_FN int ckParentOf(int joint) { return int(ckTableTexel(joint * 4).w); }

// Where the joint was bound, in model space (metres).
CK_FN vec3 ckPivotOf(int joint) {
  vec4 texel = ckTableTexel(joint * 4);
  return vec3(texel.x, texel.y, texel.z);
}

// Model space at bind time -> the joint's own space.
CK_FN CkMatrix ckInverseBindOf(int joint) {
  CkMatrix m;
  m.x = ckTableTexel(joint * 4 + 1);
  m.y = ckTableTexel(joint * 4 + 2);
  m.z = ckTableTexel(joint * 4 + 3);
  return m;
}

#if CK_LOCAL == 1
// The first texel, within a frame, of the track of a joint that moves against its parent, or -1.
CK_FN int ckTrackOf(int joint) { return int(ckTableTexel(CK_TABLE_TRACKS + joint).x); }
#endif

#if CK_PACKED == 0
// Texel k of a joint, after its range. `start` is the first texel of the frame, `ranges` the first
// range of the joint in the joint table.
CK_FN vec4 ckValue(ivec2 start, int joint, int k, int ranges) {
  vec4 texel = ckAtlasTexel(ck_atlasTexelAlong(ckShape(), start, joint * CK_TEXELS_PER_JOINT + k));
  if (k < CK_RANGES_PER_JOINT) {
    return ck_ranged(texel, ckTableTexel(ranges + 2 * k), ckTableTexel(ranges + 2 * k + 1));
  }
#if CK_SIGNED == 1
  return ck_ranged(texel, vec4(-1.0f, -1.0f, -1.0f, -1.0f), vec4(2.0f, 2.0f, 2.0f, 2.0f));
#else
  return texel;
#endif
}
#endif

// The first range of a joint in the joint table.
CK_FN int ckRangesOf(int clipIndex, int joint) {
  int sets = clipIndex * CK_RANGE_SETS_PER_CLIP + joint * CK_RANGE_SETS_PER_JOINT;
  return CK_TABLE_RANGES + sets * 2 * CK_RANGES_PER_JOINT;
}

// With CK_LOCAL it is what the parent sees.
CK_FN CkLink ckStoredPose(CkMoment moment, int ahead, int joint) {
  ivec2 start = ck_atlasTexel(ckShape(), moment.frame + ahead, 0, 0);
  int ranges = ckRangesOf(moment.clipIndex, joint);
#if CK_PACKED == 1
  ivec4 words = ckAtlasWords(ck_atlasTexelAlong(ckShape(), start, joint));
  vec4 first = CK_PLACE;
  vec4 second = CK_TURN;
#if CK_LOCAL == 1
  int track = ckTrackOf(joint);
  if (track >= 0) {
    words = ckAtlasWords(ck_atlasTexelAlong(ckShape(), start, track));
#if CK_TRACK_TEXELS == 1
    vec4 moved = ck_track64(words);
#else
    vec4 moved = ck_track32(words, ckAtlasWords(ck_atlasTexelAlong(ckShape(), start, track + 1)));
#endif
    first = vec4(moved.x, moved.y, moved.z, first.w);
  }
#endif
  first = ck_ranged(first, ckTableTexel(ranges), ckTableTexel(ranges + 1));
#else
#if CK_VALUES == 1
  vec4 first = ckTableTexel(joint * 4);
  vec4 second = ckValue(start, joint, 0, ranges);
#else
  vec4 first = ckValue(start, joint, 0, ranges);
  vec4 second = ckValue(start, joint, 1, ranges);
#endif
#endif
#if CK_VALUES == 3
  vec4 third = ckValue(start, joint, 2, ranges);
#else
  vec4 third = vec4(1.0f, 1.0f, 1.0f, 1.0f);
#endif
  CkLink pose = CK_DECODE;
#if CK_FORM == 2
#else
  pose.rotation = normalize(pose.rotation);
#endif
  return pose;
}

// The skin matrix (model space at bind time -> model space) of a pose.
CK_FN CkMatrix ckSkinOf(CkLink pose, int joint) { return CK_SKIN; }
