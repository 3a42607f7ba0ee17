#version 330 core
#include "crowd/dither.glsl"
in vec3 vColor;
layout(location = 0) out vec4 oColor;
void main() { oColor = vec4(ckDithered(vColor), 1.0); }
