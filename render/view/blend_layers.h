#pragma once

#include <optional>

#include "core/base/result.h"
#include "render/gl/framebuffer.h"
#include "render/gl/handle.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// Surfaces that cover in part (AlphaMode::Blend), in a crowd without sorting: Morgan McGuire and
// Louis Bavoil, "Weighted Blended Order-Independent Transparency", JCGT 2 (2), 2013. The picture is
// drawn in three steps:
//   1. everything that hides what is behind it, into solid(), with depth;
//   2. begin(), then what covers in part (DrawPass::overlaid), in any order: sums of colours by
//      weight, and the product of the shares that are left uncovered;
//   3. finish(), which lays the mean over the solid picture.
// The result does not depend on the order of actors and triangles, so nothing jumps when actors
// pass each other, and each character stays one draw.
class BlendLayers {
 public:
  // `shaders` must outlive it.
  explicit BlendLayers(ShaderLibrary& shaders) : shaders_(shaders) {}

  // Makes room for a picture of this size. Fails with LimitExceeded.
  Result<void> reserve(int width, int height);
  // The framebuffer for step 1, after reserve().
  unsigned solid() const { return solid_->name(); }
  // Binds and clears the framebuffer of the sums, and sets blending.
  void begin();
  // Ends blending, lays the sums over the solid picture, copies it to `framebuffer` and binds that.
  // Depth is not copied. Fails with Internal (a shader).
  Result<void> finish(unsigned framebuffer);

 private:
  ShaderLibrary& shaders_;
  std::optional<Target> solid_;
  GlHandle sum_;     // colour times alpha and weight; the share that is left uncovered
  GlHandle weight_;  // alpha times weight
  GlHandle framebuffer_;
  GlHandle emptyArray_;
};

}  // namespace ck::render
