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

#if CK_PACKING == 0
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

#if CK_FORM == 2
// A matrix about the pivot: v' = A (v - pivot) + p.
CK_FN CkMatrix ckStoredPose(CkMoment moment, int ahead, int joint) {
  ivec2 start = ck_atlasTexel(ckShape(), moment.frame + ahead, 0, 0);
  int ranges = ckRangesOf(moment.clipIndex, joint);
  CkMatrix m = ck_decodeMatrix(ckValue(start, joint, 0, ranges), ckValue(start, joint, 1, ranges),
                               ckValue(start, joint, 2, ranges));
#if CK_AT_ORIGIN == 1
  return ck_matrixToPivot(m, ckPivotOf(joint));
#else
  return m;
#endif
}

// The skin matrix (model space at bind time -> model space) of a pose.
CK_FN CkMatrix ckSkinOf(CkMatrix pose, int joint) {
  return ck_matrixFromPivot(pose, ckPivotOf(joint));
}
#else
// With CK_LOCAL it is what the parent sees.
CK_FN CkPose ckStoredPose(CkMoment moment, int ahead, int joint) {
  ivec2 start = ck_atlasTexel(ckShape(), moment.frame + ahead, 0, 0);
  int ranges = ckRangesOf(moment.clipIndex, joint);
#if CK_FORM == 0
#if CK_PACKING == 0
#if CK_DUAL == 1
  CkPose pose = ck_decodeDual(ckValue(start, joint, 0, ranges), ckValue(start, joint, 1, ranges),
                              ckPivotOf(joint));
#else
  CkPose pose =
      ck_decodePivot(ckValue(start, joint, 0, ranges), ckValue(start, joint, 1, ranges));
#endif
#else
  ivec4 words = ckAtlasWords(ck_atlasTexelAlong(ckShape(), start, joint));
#if CK_PACKING == 1
  vec4 place = ck_place128(words);
  vec4 turn = ck_turn128(words);
#endif
#if CK_PACKING == 2
  vec4 place = ck_place64(words);
  vec4 turn = ck_turn64(words);
#endif
#if CK_PACKING == 3
  vec4 place = ck_seenScale64(words);
  vec4 turn = ck_seenTurn64(words);
#endif
#if CK_PACKING == 4
  vec4 place = vec4(0.0f, 0.0f, 0.0f, 0.0f);
  vec4 turn = ck_seenTurn32(words);
#endif
#if CK_LOCAL == 1
  int track = ckTrackOf(joint);
  if (track >= 0) {
    ivec4 first = ckAtlasWords(ck_atlasTexelAlong(ckShape(), start, track));
#if CK_TRACK_TEXELS == 1
    vec4 moved = ck_track64(first);
#else
    vec4 moved =
        ck_track32(first, ckAtlasWords(ck_atlasTexelAlong(ckShape(), start, track + 1)));
#endif
    place = vec4(moved.x, moved.y, moved.z, place.w);
  }
#endif
  CkPose pose =
      ck_decodePivot(ck_ranged(place, ckTableTexel(ranges), ckTableTexel(ranges + 1)), turn);
#endif
#endif
#if CK_FORM == 1
  vec4 one = vec4(1.0f, 1.0f, 1.0f, 1.0f);
#if CK_TEXELS == 3
  CkPose pose = ck_decodeTrs(ckValue(start, joint, 0, ranges), ckValue(start, joint, 1, ranges),
                             ckValue(start, joint, 2, ranges));
#endif
#if CK_TEXELS == 2
  CkPose pose =
      ck_decodeTrs(ckValue(start, joint, 0, ranges), ckValue(start, joint, 1, ranges), one);
#endif
#if CK_TEXELS == 1
  CkPose pose = ck_decodeTrs(ckTableTexel(joint * 4), ckValue(start, joint, 0, ranges), one);
#endif
#endif
  pose.rotation = normalize(pose.rotation);
  return pose;
}

// The skin matrix (model space at bind time -> model space) of a pose.
CK_FN CkMatrix ckSkinOf(CkPose pose, int joint) {
#if CK_FORM == 0
  return ck_pivotSkinMatrix(pose, ckPivotOf(joint));
#else
  return ck_trsSkinMatrix(pose, ckInverseBindOf(joint));
#endif
}
#endif
