// Actors that dissolve, for vertex shaders with CK_DISSOLVE: call ckDissolving() at the end of main. Colours
// are drawn in part (crowd/dissolve.glsl). All other passes have the way that comes in, whole.
#include "crowd/share.glsl"

#if CK_PASS == 0
flat out int vShare;
#endif

void ckDissolving(int look) {
#if CK_PASS == 0
  vShare = ckShare(look);
#else
  if (ckIsGoing(look)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside of the image
#endif
}
