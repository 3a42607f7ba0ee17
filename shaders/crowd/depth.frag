#version 330 core
// Writes depth only.
#include "crowd/cut.glsl"
void main() { ckCutHere(); }
