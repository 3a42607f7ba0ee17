#include "tests/support/gl_shader_stage.h"

#include "core/base/assert.h"

namespace ck::test {

const render::ContextFacts& ShaderStage::facts() const {
  if (!facts_) {
    auto read = render::readContextFacts();
    CK_ASSERT(read.has_value());
    facts_ = std::make_unique<const render::ContextFacts>(std::move(*read));
  }
  return *facts_;
}

render::ShaderLibrary& ShaderStage::shaders() {
  CK_ASSERT(missing().empty());
  if (!shaders_) shaders_ = std::make_unique<render::ShaderLibrary>();
  return *shaders_;
}

}  // namespace ck::test
