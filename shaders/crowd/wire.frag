#version 330 core
// The edges of triangles; premultiplied.
#include "crowd/cut.glsl"
layout(location = 0) out vec4 oColor;
void main() {
  ckCutHere();
  oColor = vec4(0.28, 0.31, 0.32, 0.33);
}
