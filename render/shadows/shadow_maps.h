#pragma once

#include <functional>

#include "core/base/result.h"
#include "render/shadows/shadow_cascades.h"
#include "render/skinning/skinner.h"

namespace ck::render {

// The depth pictures that the key light sees, one layer a cascade.
class ShadowMaps {
 public:
  // Draws each planned map by one call of `cast`, which draws everything that casts. The viewport
  // is another then. Fails with LimitExceeded where the driver has no memory, or as `cast` does.
  Result<void> draw(const ShadowCascades& cascades,
                    const std::function<Result<void>(const DrawPass&)>& cast);

  // For programs that look places up and are in use.
  void bind() const;

 private:
  Result<void> reserve();

  GlHandle texture_;
  GlHandle framebuffer_;
};

}  // namespace ck::render
