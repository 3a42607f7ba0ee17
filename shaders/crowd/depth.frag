#version 330 core
// Nothing but depth.
void main() {}
