// The light and the colours of the scene, linear; directions point from the surface.
const vec3 kToLight = vec3(-0.3145, 0.7863, 0.5318);
const vec3 kKeyLight = vec3(2.55, 2.28, 1.95);
const vec3 kSkyLight = vec3(0.40, 0.47, 0.58);
const vec3 kGroundLight = vec3(0.22, 0.19, 0.165);
const vec3 kZenith = vec3(0.022, 0.027, 0.036);
const vec3 kHorizon = vec3(0.118, 0.128, 0.146);
const vec3 kGlow = vec3(0.060, 0.040, 0.020);
const vec3 kAccent = vec3(0.150, 0.450, 1.0);
