#version 330 core
// A pixel of a far actor that is a point. CK_PASS, CK_DISSOLVE: as in crowd/actor.vert.
#if CK_PASS == 0
#include "crowd/dissolve.glsl"
flat in vec4 vColor;  // premultiplied
layout(location = 0) out vec4 oColor;
#elif CK_PASS == 1
flat in uint vId;
layout(location = 0) out uint oId;
#endif
void main() {
#if CK_PASS == 0
  ckDissolve();
  oColor = vColor;
#elif CK_PASS == 1
  oId = vId;
#endif
}
