#version 330 core
layout(location = 0) out vec4 oColor;

void main() {
  oColor = vec4(0.0);
}
