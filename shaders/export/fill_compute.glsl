// Fills a palette buffer: three vec4 (matrix rows) per joint, joints of an actor one after another.
// One thread per joint (x) and actor (y): dispatch (joints + 7) / 8 by (actors + 7) / 8 groups.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 3) writeonly buffer CkPalette { vec4 ckPalette[]; };
layout(std140, binding = 4) uniform CkFill {
  float ckSeconds;
  int ckActorCount;
};

void main() {
  int joint = int(gl_GlobalInvocationID.x);
  int actor = int(gl_GlobalInvocationID.y);
  if (joint >= CK_JOINT_COUNT || actor >= ckActorCount) return;
  CkMatrix m = ckRelativeMatrix(ckShownBy(actor, ckSeconds), joint);
  int at = (actor * CK_JOINT_COUNT + joint) * 3;
  ckPalette[at] = m.x;
  ckPalette[at + 1] = m.y;
  ckPalette[at + 2] = m.z;
}
