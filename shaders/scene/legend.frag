#version 330 core
// The colours of the error view, from no error at the bottom to the maximum at the top.
#include "crowd/viridis.glsl"
in float vAlong;
uniform int ckFrame;
layout(location = 0) out vec4 oColor;
void main() { oColor = vec4(ckFrame == 1 ? vec3(0.08) : ckViridis(vAlong), 1.0); }
