#pragma once

#include "core/scene/character.h"

namespace ck {

// From this roughness on a surface without metal mirrors too little to be seen, and is drawn as
// wholly rough. Many programs write 0.8 or 0.9 for cloth and skin. crowd/gloss.glsl has the same.
inline constexpr float kRoughEnough = 0.75f;

// Whether a surface mirrors its surroundings.
inline bool isGlossy(const Material& material) {
  return material.metallic > 0.0f || material.roughness < kRoughEnough ||
         bool(material.metalRoughness);
}

}  // namespace ck
