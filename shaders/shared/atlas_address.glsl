// Maps frames and joints to texels of the atlas, for all layouts. Frames are numbered through the
// whole atlas: a clip's first frame + the frame in the clip.
struct CkAtlasShape {
  ivec4 block;  // x: texels per joint; y: texels per frame; z: frames per block; w: blocks per row
  ivec4 extent;  // x: width; y: height; z: block width in texels; w: 1 for the linear layout, else 0
};

// Rows and tiles: blocks of `frames per block` rows, one frame per row; blocks are side by side and
// then below. Linear: one line of texels, frame after frame, wrapped at the width.
CK_FN ivec2 ck_atlasTexel(CkAtlasShape shape, int frame, int joint, int texel) {
  int along = joint * shape.block.x + texel;
  if (shape.extent.w == 1) {
    int index = frame * shape.block.y + along;
    return ivec2(index % shape.extent.x, index / shape.extent.x);
  }
  int block = frame / shape.block.z;
  int row = frame - block * shape.block.z;
  int blockRow = block / shape.block.w;
  int blockColumn = block - blockRow * shape.block.w;
  return ivec2(blockColumn * shape.extent.z + along, blockRow * shape.block.z + row);
}

// The texel `along` places after `start`, the first texel of a frame. Equals ck_atlasTexel(shape,
// frame, joint, texel) for start = ck_atlasTexel(shape, frame, 0, 0) and along = joint * texels per
// joint + texel, without divisions if the frame is on one line.
CK_FN ivec2 ck_atlasTexelAlong(CkAtlasShape shape, ivec2 start, int along) {
  int x = start.x + along;
  if (shape.extent.w == 1 && x >= shape.extent.x) {
    return ivec2(x % shape.extent.x, start.y + x / shape.extent.x);
  }
  return ivec2(x, start.y);
}
