#version 330 core
#include "crowd/look.glsl"
in vec3 vDirection;
layout(location = 0) out vec4 oColor;
void main() { oColor = vec4(ckToScreen(ckSkyColor(normalize(vDirection))), 1.0); }
