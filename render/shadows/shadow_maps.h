#pragma once

#include <functional>

#include "core/base/result.h"
#include "render/shadows/shadow_cascades.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// Depth maps seen from the key light, one texture layer per cascade.
class ShadowMaps {
 public:
  // Draws each planned map by one call of `cast`, which must draw all shadow casters. Changes the
  // viewport. Fails with LimitExceeded if the driver has no memory, or as `cast` does.
  Result<void> draw(const ShadowCascades& cascades,
                    const std::function<Result<void>(const DrawPass&)>& cast);

  // Binds the maps for a program that is in use.
  void bind() const;

 private:
  Result<void> reserve();

  GlHandle texture_;
  GlHandle framebuffer_;
};

}  // namespace ck::render
