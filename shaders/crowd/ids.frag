#version 330 core
// The number of the actor + 1; 0 is nobody.
flat in uint vId;
layout(location = 0) out uint oId;
void main() { oId = vId; }
