// Fills a palette buffer: three float4 (matrix rows) per joint, joints of an actor one after
// another. One thread per joint (x) and actor (y): dispatch (joints + 7) / 8 by (actors + 7) / 8
// groups.
RWStructuredBuffer<float4> ckPalette : CK_REGISTER(u0);
cbuffer CkFill : CK_REGISTER(b0) {
  float ckSeconds;
  int ckActorCount;
};

[numthreads(8, 8, 1)]
void fillPalette(uint3 id : SV_DispatchThreadID) {
  int joint = int(id.x);
  int actor = int(id.y);
  if (joint >= CK_JOINT_COUNT || actor >= ckActorCount) return;
  CkMatrix m = ckRelativeMatrix(ckShownBy(actor, ckSeconds), joint);
  int at = (actor * CK_JOINT_COUNT + joint) * 3;
  ckPalette[at] = m.x;
  ckPalette[at + 1] = m.y;
  ckPalette[at + 2] = m.z;
}
