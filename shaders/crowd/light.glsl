// The light and the colours of the scene, linear. Directions point away from the surface.
#include "crowd/light_direction.glsl"
const vec2 kLightHeading = vec2(-0.5090, 0.8607);  // the light's direction seen from above
const vec3 kKeyLight = vec3(1.12, 1.00, 0.85);
const vec3 kSkyLight = vec3(0.42, 0.49, 0.60);
const vec3 kGroundLight = vec3(0.24, 0.21, 0.185);
const vec3 kZenith = vec3(0.020, 0.023, 0.030);
const vec3 kHorizon = vec3(0.078, 0.086, 0.100);
const vec3 kGlow = vec3(0.050, 0.036, 0.022);
const vec3 kAccent = vec3(0.150, 0.450, 1.0);
