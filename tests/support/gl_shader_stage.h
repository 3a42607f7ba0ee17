#pragma once

#include <memory>

#include "render/gl/context.h"
#include "render/gl/shader_library.h"
#include "tests/support/gl_stage.h"

namespace ck::test {

// A stage with what parts of the renderer are made of that are tested by themselves. Both abort
// where missing() is not empty.
class ShaderStage : public GlStage {
 public:
  const render::ContextFacts& facts() const;
  render::ShaderLibrary& shaders();

  // Nothing of the library is left in the context then.
  void dropShaders() { shaders_.reset(); }

 private:
  mutable std::unique_ptr<const render::ContextFacts> facts_;
  std::unique_ptr<render::ShaderLibrary> shaders_;
};

}  // namespace ck::test
