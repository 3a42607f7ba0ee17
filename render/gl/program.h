#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>

#include "core/base/result.h"
#include "render/gl/handle.h"
#include "render/gl/shader_source.h"

namespace ck::render {

// A linked program. Uniforms are set by name while the program is in use. Unknown names are
// ignored, so that one caller can serve all variants.
class Program {
 public:
  // `first` is a vertex shader, or a compute shader if its file ends in `.comp`, which requires
  // ContextFacts::compute. `fragment` may have an empty text for compute shaders and programs that
  // use transform feedback only. The outputs in `feedback` are captured interleaved, or each into
  // its own buffer if `apart`. Fails with Internal; the driver's message goes to the log with file
  // names.
  static Result<Program> link(const ShaderSource& first, const ShaderSource& fragment,
                              std::span<const std::string> feedback, bool apart = false);

  void use() const;
  // Assigns a uniform block to a binding point.
  void setBlock(const char* name, unsigned binding) const;
  // Assigns a storage buffer to a binding point. Requires ContextFacts::compute.
  void setStorage(const char* name, unsigned binding) const;
  void set(const char* name, int value) const;
  void set(const char* name, float value) const;
  void set(const char* name, const glm::vec2& value) const;
  void set(const char* name, const glm::vec3& value) const;
  void set(const char* name, const glm::vec4& value) const;
  void set(const char* name, const glm::ivec4& value) const;
  void set(const char* name, const glm::mat4& value) const;
  // The first elements of an array.
  void set(const char* name, std::span<const float> values) const;
  void set(const char* name, std::span<const glm::vec4> values) const;

 private:
  explicit Program(GlHandle handle) : handle_(std::move(handle)) {}
  int location(const char* name) const;

  GlHandle handle_;
};

}  // namespace ck::render
