#version 330 core
// Writes the actor's number + 1; 0 is no actor.
#include "crowd/cut.glsl"
flat in uint vId;
layout(location = 0) out uint oId;
void main() {
  ckCutHere();
  oId = vId;
}
