#version 330 core
// Computes the records of actors as drawing reads them (crowd/actor_record.glsl), one point each, by
// transform feedback. Once in a tick, so that neither vertices nor joints do it.
// CK_COMPACT_RECORD: the compact record in place of the full one.
#include "crowd/steady_record.glsl"

#ifdef CK_COMPACT_RECORD
out vec4 vPositionScale;
out vec4 vRotation;
flat out ivec2 vFrameLook;
#else
out vec4 vPositionAlphaA;
out vec4 vRotation;
out vec4 vScaleAlphaB;
flat out ivec4 vFramesLook;
#endif

void main() {
  CkActor actor = ckActor();
  vRotation = actor.rotation;
#ifdef CK_COMPACT_RECORD
  vPositionScale = vec4(actor.positionAlphaA.xyz, actor.scaleAlphaB.x);
  vFrameLook = ivec2(actor.frames.x + (actor.positionAlphaA.w >= 0.5 ? 1 : 0), actor.look);
#else
  vPositionAlphaA = actor.positionAlphaA;
  vScaleAlphaB = actor.scaleAlphaB;
  vFramesLook = ivec4(actor.frames, actor.look, 0);
#endif
  gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
