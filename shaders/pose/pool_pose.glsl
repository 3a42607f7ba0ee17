// Skins a vertex from the pool: the matrices of all stored frames. Include palette/rows.glsl first;
// its slots are frames here.
// CK_INFLUENCES: 1, 2 or 4.
// CK_SAMPLING: 0 nearest frame, 1 the matrices of both frames are interpolated.
// CK_BLEND: 1 if actors fade to a second clip; vertex positions are blended.
uniform int ckFrameCount;

#define CK_FRAMES ((1 + CK_SAMPLING) * (1 + CK_BLEND))

// Frames and their weights, those of the first clip first.
void ckFramesAt(int place, int frame, float along, float share, inout int frames[4],
                inout float shares[4]) {
#if CK_SAMPLING == 1
  frames[place] = clamp(frame, 0, ckFrameCount - 1);
  frames[place + 1] = clamp(frame + 1, 0, ckFrameCount - 1);
  shares[place] = share * (1.0 - along);
  shares[place + 1] = share * along;
#else
  frames[place] = clamp(along >= 0.5 ? frame + 1 : frame, 0, ckFrameCount - 1);
  shares[place] = share;
#endif
}

CkSkinned ckSkin(CkActor actor) {
  int frames[4] = int[4](0, 0, 0, 0);
  float shares[4] = float[4](0.0, 0.0, 0.0, 0.0);
#if CK_BLEND
  float blend = actor.frames.y >= 0 ? ck_lookBlend(actor.look) : 0.0;
  ckFramesAt(0, actor.frames.x, actor.positionAlphaA.w, 1.0 - blend, frames, shares);
  int second = actor.frames.y >= 0 ? actor.frames.y : actor.frames.x;
  ckFramesAt(1 + CK_SAMPLING, second, actor.scaleAlphaB.w, blend, frames, shares);
#else
  ckFramesAt(0, actor.frames.x, actor.positionAlphaA.w, 1.0, frames, shares);
#endif
  CkMatrix sum = CkMatrix(vec4(0.0), vec4(0.0), vec4(0.0));
  float total = 0.0;
  for (int i = 0; i < CK_INFLUENCES; ++i) {
    float weight = ckWeight(i);
    // Influences are sorted by weight: the first empty one ends the loop.
    if (weight <= 0.0) break;
    int joint = ckSkinJoint(i);
    for (int f = 0; f < CK_FRAMES; ++f) {
      sum = ck_matrixPlus(sum, ckRowsOf(frames[f], joint), weight * shares[f]);
    }
    total += weight;
  }
  return ckInWorld(actor, ckMovedBy(sum, total));
}
