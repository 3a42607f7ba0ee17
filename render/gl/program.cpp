#include "render/gl/program.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/log.h"

namespace ck::render {
namespace {

// The driver's messages about a shader or a program.
template <class Ask, class Read>
std::string messagesOf(GLuint name, Ask ask, Read read) {
  GLint room = 0;  // with a zero at the end
  ask(name, GL_INFO_LOG_LENGTH, &room);
  std::string messages(static_cast<std::size_t>(std::max(room, 1)), '\0');
  GLsizei length = 0;
  read(name, room, &length, messages.data());
  messages.resize(static_cast<std::size_t>(length));
  return messages;
}

Result<GlHandle> compile(GLenum stage, const ShaderSource& source) {
  GlHandle shader(GlKind::Shader, glCreateShader(stage));
  const char* text = source.text.c_str();
  glShaderSource(shader.name(), 1, &text, nullptr);
  glCompileShader(shader.name());
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return shader;
  const std::string messages = messagesOf(shader.name(), glGetShaderiv, glGetShaderInfoLog);
  log().error("shader {} does not compile:\n{}", source.files.front(),
              nameShaderFiles(messages, source.files));
  return fail(ErrorCode::Internal,
              fmt::format("the graphics driver refuses the shader {}; the log has its reasons",
                          source.files.front()));
}

// `file` names the program in the log and the message.
Result<void> linkStages(const GlHandle& program, const std::string& file) {
  glLinkProgram(program.name());
  GLint linked = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return {};
  log().error("shader {} does not link:\n{}", file,
              messagesOf(program.name(), glGetProgramiv, glGetProgramInfoLog));
  return fail(
      ErrorCode::Internal,
      fmt::format("the graphics driver cannot link the shader {}; the log has its reasons", file));
}

}  // namespace

Result<Program> Program::link(const ShaderSource& first, const ShaderSource& fragment,
                              std::span<const std::string> feedback, bool apart) {
  GlHandle program(GlKind::Program, glCreateProgram());
  const std::string& file = first.files.front();
  auto shader = compile(file.ends_with(".comp") ? GL_COMPUTE_SHADER : GL_VERTEX_SHADER, first);
  if (!shader) return tl::unexpected(shader.error());
  glAttachShader(program.name(), shader->name());
  GlHandle fragmentShader;
  if (!fragment.text.empty()) {
    auto compiled = compile(GL_FRAGMENT_SHADER, fragment);
    if (!compiled) return tl::unexpected(compiled.error());
    fragmentShader = std::move(*compiled);
    glAttachShader(program.name(), fragmentShader.name());
  }
  if (!feedback.empty()) {
    std::vector<const char*> names;
    for (const std::string& name : feedback) names.push_back(name.c_str());
    glTransformFeedbackVaryings(program.name(), static_cast<GLsizei>(names.size()), names.data(),
                                apart ? GL_SEPARATE_ATTRIBS : GL_INTERLEAVED_ATTRIBS);
  }
  if (auto linked = linkStages(program, file); !linked) return tl::unexpected(linked.error());
  return Program(std::move(program));
}

int Program::location(const char* name) const {
  return glGetUniformLocation(handle_.name(), name);
}

void Program::use() const {
  glUseProgram(handle_.name());
}
void Program::setBlock(const char* name, unsigned binding) const {
  const GLuint index = glGetUniformBlockIndex(handle_.name(), name);
  if (index != GL_INVALID_INDEX) glUniformBlockBinding(handle_.name(), index, binding);
}
void Program::setStorage(const char* name, unsigned binding) const {
  const GLuint index = glGetProgramResourceIndex(handle_.name(), GL_SHADER_STORAGE_BLOCK, name);
  if (index != GL_INVALID_INDEX) glShaderStorageBlockBinding(handle_.name(), index, binding);
}
void Program::set(const char* name, int value) const {
  glUniform1i(location(name), value);
}
void Program::set(const char* name, float value) const {
  glUniform1f(location(name), value);
}
void Program::set(const char* name, const glm::vec2& value) const {
  glUniform2fv(location(name), 1, &value.x);
}
void Program::set(const char* name, const glm::vec3& value) const {
  glUniform3fv(location(name), 1, &value.x);
}
void Program::set(const char* name, const glm::vec4& value) const {
  glUniform4fv(location(name), 1, &value.x);
}
void Program::set(const char* name, const glm::ivec4& value) const {
  glUniform4iv(location(name), 1, &value.x);
}
void Program::set(const char* name, const glm::mat4& value) const {
  glUniformMatrix4fv(location(name), 1, GL_FALSE, &value[0][0]);
}

void Program::set(const char* name, std::span<const float> values) const {
  glUniform1fv(location(name), static_cast<GLsizei>(values.size()), values.data());
}

void Program::set(const char* name, std::span<const glm::vec4> values) const {
  glUniform4fv(location(name), static_cast<GLsizei>(values.size()), &values.data()->x);
}

}  // namespace ck::render
