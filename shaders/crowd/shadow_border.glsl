// Where pixels pass from one shadow map to the next coarser one, in shares of a map's half: within the
// band below the border they choose by noise, beyond it the coarser one. C++ includes this file as well (render/shadows/shadow_reach.cpp).
const float kShadowBorder = 0.985f;
const float kShadowBand = 0.1f;
