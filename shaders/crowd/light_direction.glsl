// The direction from the surface to the key light. C++ includes this file as well
// (render/shadows/shadow_cascades.cpp).
const vec3 kToLight = vec3(-0.3145f, 0.7863f, 0.5318f);
