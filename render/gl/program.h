#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>

#include "core/base/result.h"
#include "render/gl/handle.h"
#include "render/gl/shader_source.h"

namespace ck::render {

// A linked program. Uniforms are set by name while it is in use; names that the program does not
// have are passed over, so that one caller can serve all variants.
class Program {
 public:
  // `fragment` may have an empty text for a program that only feeds back. The outputs named in
  // `feedback` are captured interleaved, or `apart`, each into a buffer of its own. Fails with
  // Internal; the driver's text goes to the log with the files' names.
  static Result<Program> link(const ShaderSource& vertex, const ShaderSource& fragment,
                              std::span<const std::string> feedback, bool apart = false);

  // A program of one compute shader, for contexts with ContextFacts::compute. Fails like link().
  static Result<Program> linkCompute(const ShaderSource& compute);

  void use() const;
  // Tells a uniform block where its buffer is bound.
  void setBlock(const char* name, unsigned binding) const;
  // The same for a storage buffer; for contexts with ContextFacts::compute.
  void setStorage(const char* name, unsigned binding) const;
  void set(const char* name, int value) const;
  void set(const char* name, float value) const;
  void set(const char* name, const glm::vec2& value) const;
  void set(const char* name, const glm::vec3& value) const;
  void set(const char* name, const glm::vec4& value) const;
  void set(const char* name, const glm::ivec4& value) const;
  void set(const char* name, const glm::mat4& value) const;

 private:
  explicit Program(GlHandle handle) : handle_(std::move(handle)) {}
  int location(const char* name) const;

  GlHandle handle_;
};

}  // namespace ck::render
