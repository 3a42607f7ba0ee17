// From the surface to the key light. Read by C++, too (render/shadows/shadow_cascades.cpp).
const vec3 kToLight = vec3(-0.3145f, 0.7863f, 0.5318f);
