// The joint table (NAME.joints.raw): float32, little-endian, four per texel, CK_TABLE_WIDTH by
// CK_TABLE_HEIGHT texels, row by row; upload it as RGBA32F, filter nearest. Texel i lies at column
// i mod CK_TABLE_WIDTH, row i / CK_TABLE_WIDTH.
//   from 0                joints, 4 texels each: pivot x y z (where the joint was bound, metres in
//                         model space), index of the parent (-1 without); then the three upper rows
//                         of the inverse bind matrix
//   from CK_TABLE_RANGES  for every set and ranged texel: low, size (value = low + texel * size). Set
//                         = clip * CK_RANGE_SETS_PER_CLIP + joint * CK_RANGE_SETS_PER_JOINT
//   from CK_TABLE_CLIPS   clips, 2 texels each: first frame (counted through the atlas), moments, loop
//                         mode (0 loop, 1 once, 2 ping-pong), seconds as played; stored frames, texel
//                         of the clip's first interval, number of these texels, ground speed (m/s)
//   after the clips       intervals, only of clips whose moments do not have one frame each (z of the
//                         second texel is 0 for the others): 1 texel for each interval between two
//                         moments, and one for the end. The frame in the clip; an offset and a share: at
//                         the fraction f of the interval, (offset + f) * share of the way to the next frame
//   from CK_TABLE_TRACKS  for R64 and R32 alone, 1 texel for each joint: x is the first texel, within a
//                         frame, of its track, or -1
